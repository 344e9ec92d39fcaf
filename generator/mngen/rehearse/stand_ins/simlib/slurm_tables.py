"""Option tables of Slurm's programs, from their manual pages (22.05), with the release that added newer ones."""

from simlib.options import Table

COMMON = """
A/account= acctg-freq= bb= bbf= b/begin= D/chdir= cluster-constraint= M/clusters= comment= C/constraint= container=
contiguous S/core-spec= cores-per-socket= cpu-freq= cpus-per-gpu= c/cpus-per-task= deadline= delay-boot=
d/dependency= m/distribution= e/error= x/exclude= exclusive? export= B/extra-node-info= gid= gpu-bind= gpu-freq=
G/gpus= gpus-per-node= gpus-per-socket= gpus-per-task= gres= gres-flags= h/help hint= H/hold i/input= J/job-name=
L/licenses= mail-type= mail-user= mcs-label= mem= mem-bind= mem-per-cpu= mem-per-gpu= mincpus= network= nice?
k/no-kill? F/nodefile= w/nodelist= N/nodes= n/ntasks= ntasks-per-core= ntasks-per-gpu= ntasks-per-node=
ntasks-per-socket= open-mode= o/output= O/overcommit s/oversubscribe p/partition= power= prefer= priority= profile=
propagate? q/qos= Q/quiet reboot reservation= signal= sockets-per-node= spread-job switches= test-only thread-spec=
threads-per-core= t/time= time-min= tmp= uid= usage use-min-nodes v/verbose V/version wckey=
"""
SBATCH = """
a/array= batch= export-file= get-user-env? ignore-pbs kill-on-invalid-dep= no-requeue parsable requeue W/wait
wait-all-nodes= wrap=
"""
SRUN = """
accel-bind= bcast? bcast-exclude= compress? cpu-bind= X/disable-status epilog= exact het-group= I/immediate? jobid=
K/kill-on-bad-exit? l/label mpi= msg-timeout= multi-prog Z/no-allocate overlap E/preserve-env prolog= pty
quit-on-interrupt r/relative= resv-ports? send-libs? slurmd-debug= task-epilog= task-prolog= T/threads= u/unbuffered
W/wait= x11?
"""
PYXIS = """
container-image= container-mounts= container-workdir= container-name= container-save= container-mount-home
no-container-mount-home container-remap-root no-container-remap-root container-entrypoint no-container-entrypoint
container-entrypoint-log container-writable container-readonly container-env=
"""
ADDED = {(23, 2): "tres-per-task=", (23, 11): "container-id=", (24, 5): "segment=", (25, 5): "consolidate-segments"}
ADDED_SRUN = {(23, 11): "external-launcher", (25, 5): "wait-for-children"}


def _newer(added: dict[tuple[int, int], str], version: tuple[int, ...]) -> str:
    return " ".join(text for since, text in added.items() if version >= since)


def sbatch(version: tuple[int, ...], *, pyxis: bool) -> Table:
    """Options of `sbatch` and of `#SBATCH` lines."""
    return Table("sbatch", f"{COMMON} {SBATCH} {_newer(ADDED, version)} {PYXIS if pyxis else ''}")


def srun(version: tuple[int, ...], *, pyxis: bool) -> Table:
    """Options of `srun`."""
    newer = f"{_newer(ADDED, version)} {_newer(ADDED_SRUN, version)}"
    return Table("srun", f"{COMMON} {SRUN} {newer} {PYXIS if pyxis else ''}")


def clashes(options: dict[str, list[str]], version: tuple[int, ...]) -> str | None:
    """Why Slurm refuses options together, if it does."""
    memory = [name for name in ("mem", "mem-per-cpu", "mem-per-gpu") if name in options]
    if len(memory) > 1:
        return "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive."
    if "exclusive" in options and "oversubscribe" in options:
        return "--exclusive and --oversubscribe are mutually exclusive"
    gres_gpu = any(item.startswith("gpu") for value in options.get("gres", []) for item in value.split(","))
    if gres_gpu and "gpus-per-node" in options and version >= (26, 5):
        return "Invalid GRES specification (with and without type identification): --gres=gpu and --gpus-per-node"
    cpus = [name for name in ("cpus-per-task", "cpus-per-gpu") if name in options]
    if len(cpus) > 1 and version >= (23, 11):
        return "--cpus-per-task and --cpus-per-gpu are mutually exclusive"
    return None
