"""Who removes the folder in which the Rays of all jobs of a node meet, and who removes one of the job's own."""

from rule_beginnings import DSTACK, SB, SKY

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN762", "a.sbatch", f"{SB}{text}\n")
        for text in (
            *(
                "rm -rf /tmp/ray-$SLURM_JOB_ID",
                "rm -rf /tmp/ray/$SLURM_JOB_ID",
                "rm -rf /tmp/rayon",
                "rm -f /tmp/ray/x",
            ),
            *('T=/tmp/r-$SLURM_JOB_ID\nrm -rf "$T/ray"', "rm -rf /tmp/ray/session_latest", "rm -rf data/ray"),
            *(
                'rm -rf "$TMPDIR/ray"',
                "rm -rf /scratch/ray",
                "ls -R /tmp/ray",
                "rmdir /tmp/ray",
                "echo rm -rf /tmp/ray",
            ),
            "rm -rf /tmp/ray/session_$id",
        )
    ),
    # where no other job has its Ray
    ("MN762", "a.sbatch", f"{SB}#SBATCH --exclusive\nrm -rf /tmp/ray\n"),
    ("MN762", "a.sbatch", f"{SB}srun docker run img bash -c 'rm -rf /tmp/ray'\n"),
    ("MN762", "a.sky.yaml", f"{SKY}  rm -rf /tmp/ray\n  x\n"),
    ("MN762", "a.dstack.yml", f"{DSTACK}  - rm -rf /tmp/ray\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN762", "a.sbatch", f"{SB}{text}\n", 3 + text.count("\n"))
        for text in (
            *(
                "rm -rf /tmp/ray",
                "rm -rf /tmp/ray/",
                "rm -rf /tmp/ray/*",
                "rm -fr /tmp/ray/session_*",
                "rm -r /tmp/ray*",
            ),
            *('rm -rf "${TMPDIR:-/tmp}/ray"', 'rm -R -f "${TMPDIR:-/tmp}"/ray/*', "rm --recursive -f x /tmp/ray"),
            *("srun rm -rf /tmp/ray", "srun bash -c 'rm -rf /tmp/ray/session_*; x'", 'ssh $h "cd x; rm -rf /tmp/ray"'),
            *("T=/tmp/ray\nrm -rf $T", 'T=/tmp\nrm -rf "$T/ray"/*', "sudo rm -rf /tmp/ray || true"),
            *("apptainer exec x.sif rm -rf /tmp/ray", "rm -rf -- /tmp/ray", 'rm -rf "${RAY_TMPDIR:-/tmp/ray}"'),
        )
    ),
    ("MN762", "a.sh", "for h in $hosts; do ssh $h rm -rf /tmp/ray; done\n", 1),
]
