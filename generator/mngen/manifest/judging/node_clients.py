"""Programs that belong to a node: clients of its container engines and of its Slurm."""

from __future__ import annotations

CLIENTS = frozenset(
    {"apptainer", "docker", "enroot", "nerdctl", "podman", "singularity"}
    | {"salloc", "sbatch", "scancel", "scontrol", "sinfo", "squeue", "srun"}
)
INSTEAD = "put what it starts into the image; what has to run on the node goes to host_setup"
