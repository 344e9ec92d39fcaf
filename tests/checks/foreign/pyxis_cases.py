"""Images and keys that pyxis and SkyPilot take to the nodes, as docker does."""

H = "#!/bin/bash\n#SBATCH --nodes=2\n"
DIGEST = "@sha256:" + "0" * 64
SKY = "num_nodes: 2\nfile_mounts:\n  {}\nrun: x\n"

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN916", "a.sbatch", f"{H}{text} x\n")
        for text in (
            f"srun --container-image=docker://vllm/vllm-openai:v0.11{DIGEST}",
            "srun --container-image=nvcr.io#nvidia/pytorch:25.01-py3",
            "srun --container-image=/images/vllm.sqsh",
            "srun --container-image=./vllm.sqsh",
            "srun --container-image vllm.sqsh",
            'srun --container-image="$IMAGE"',
            "IMAGE=/images/vllm.sqsh\nsrun --container-image=$IMAGE",
            "srun --container-name=vllm",
        )
    ),
    *(
        ("MN780", "a.sbatch", f"{H}{text} x\n")
        for text in (
            "srun --container-mounts=/data:/data,$HOME/code:/code",
            "srun --container-mounts=$HOME/.ssh/known_hosts:/root/.ssh/known_hosts",
            "srun --container-mounts=/data/x.ssh:/x",
            "#SBATCH --container-mounts=/data:/data\nsrun",
        )
    ),
    *(
        ("MN780", "a.sky.yaml", SKY.format(mount))
        for mount in (
            "/data: ./data",
            "~/.ssh/known_hosts: ~/.ssh/known_hosts",
            "/k: ~/.ssh/id_rsa.pub",
            "/d: {source: ./d}",
        )
    ),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN916", "a.sbatch", f"{H}{text} x\n", line)
        for text, line in (
            ("srun --container-image=docker://vllm/vllm-openai:latest", 3),
            ("srun --container-image vllm/vllm-openai", 3),
            ("srun --container-image=nvcr.io#nvidia/pytorch:nightly", 3),
            ("srun --container-image=localhost:5000#vllm", 3),
            ("IMAGE=docker://vllm/vllm-openai:latest\nsrun --container-image=$IMAGE", 4),
            ("#SBATCH --container-image=vllm/vllm-openai:latest\nsrun", 3),
        )
    ),
    *(
        ("MN780", "a.sbatch", f"{H}{text} x\n", line)
        for text, line in (
            ("srun --container-mounts=$HOME/.ssh:/root/.ssh", 3),
            ("srun --container-mounts=/data:/data,~/.aws:/root/.aws:ro", 3),
            ("srun --container-mounts ${HOME}/.kube/config:/root/.kube/config", 3),
            ("srun --container-mounts=$HOME/.ssh/id_ed25519:/root/.ssh/id_ed25519", 3),
            ("M=/data:/data,$HOME/.ssh:/root/.ssh\nsrun --container-mounts=$M", 4),
            ("#SBATCH --container-mounts=/home/me/.ssh:/root/.ssh\nsrun", 3),
        )
    ),
    *(
        ("MN780", "a.sky.yaml", SKY.format(mount), 3)
        for mount in (
            "~/.ssh/id_rsa: ~/.ssh/id_rsa",
            "/root/key: ~/.ssh/id_ed25519",
            "~/.aws: ~/.aws",
            "/k: {source: ~/.ssh}",
        )
    ),
]

# code, file name, a text: how its one finding of that code weighs
SEVERITY = {
    ("MN916", "a.sbatch", f"{H}srun --container-image=vllm/vllm-openai:latest x\n"): "warning",
    ("MN916", "a.sbatch", f"{H}srun --container-image=localhost:5000#vllm x\n"): "warning",
    ("MN780", "a.sky.yaml", SKY.format("~/.ssh/id_rsa: ~/.ssh/id_rsa")): "warning",
}
