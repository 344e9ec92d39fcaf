"""Folders that machines share, by what their paths say."""

from rule_beginnings import DSTACK, SB, SKY

SHARED = (
    *("/mnt/nfs/checkpoints", "/nfs/ckpt", "/lustre/work/x", "/mnt/lustre-01/x", "/gpfs/proj", "/data/cephfs/x"),
    *("/mnt/efs", "/fsx/ckpt", "/shared/ckpt", "/mnt/shared", "/mnt/weka/x", "/mnt/beegfs0", "/mnt/nfsv4/x"),
)
OWN = ("/data/ckpt", "/home/me/ckpt", "/scratch/ckpt", "/mnt/disk", "/mnt/confs/x", "/tmp/nfs", "/mnt/sharedmemory")

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN797", "a.dstack.yml", f"{DSTACK}  - x\nvolumes:\n  - {path}:{target}\n")
        for path in SHARED
        for target in ("/checkpoints", path)
    ),
    # what serves has no checkpoints
    ("MN797", "a.sky.yaml", f"service:\n  readiness_probe: /health\n  replicas: 2\n{SKY}  vllm serve m\n"),
    ("MN797", "a.sky.yaml", f"{SKY}  vllm serve m\nservice: {{readiness_probe: /v1/models}}\n"),
    ("MN797", "a.dstack.yml", DSTACK + "  - x\nvolumes: [/mnt/nfs/checkpoints:/checkpoints]\n"),
    *(
        ("MN760", "a.sbatch", f"{SB}ray start --head --temp-dir {path}\n")
        for path in ("/tmp/nfs-$USER", "/dev/shm/shared/x", "/local/x")
    ),
]

# code, file name, a text with that defect, its line
WRONG = [
    ("MN797", "a.sky.yaml", f"name: service\n{SKY}  vllm serve m\n", 2),
    *(("MN797", "a.dstack.yml", f"{DSTACK}  - x\nvolumes:\n  - {path}:/nfs/x\n", 7) for path in OWN),
    *(
        ("MN760", "a.sbatch", f"{SB}ray start --head --temp-dir {path}/r\n", 3)
        for path in (*SHARED, "/home/me", "/scratch", "$HOME", "~", "$SCRATCH/x")
    ),
]
