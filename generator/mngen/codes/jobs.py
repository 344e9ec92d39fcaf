"""Codes of the lint of foreign files: Slurm jobs. Title, explanation and example."""

from __future__ import annotations

JOB_CODES: dict[str, tuple[str, ...]] = {
    "MN730": (
        "variable in a directive",
        (
            "sbatch expands neither `$` nor `~` in `#SBATCH` lines: the log goes to a folder called `$HOME`. Write "
            "the value, use a pattern of Slurm's such as %j or %x, or pass the option on sbatch's command line, "
            "where the shell expands it."
        ),
        "#SBATCH --output=%x-%j.out",
    ),
    "MN731": (
        "directive that sbatch passes over",
        (
            "sbatch reads directives only up to the first command, and only lines that begin with `#SBATCH`, in "
            "capitals and without blanks before or behind the `#`; it passes over others in silence, misspelt ones "
            "such as `#SBTACH` and `#sbatch` too. Move them up, to the beginning of their lines; blank lines and "
            "comments between them do no harm. One that is put aside on purpose begins with `##SBATCH`. Of `# sbatch` "
            "behind a blank nothing is told, since it may be a note on how the file is submitted."
        ),
        "#!/bin/bash\n#SBATCH --nodes=2\nmodule load cuda\n#SBATCH --exclusive      # not read",
    ),
    "MN732": (
        "directives that sbatch refuses or passes over",
        (
            "A word is neither an option nor an option's value, or an option has a wrong value, contradicts others "
            "(`--gpus=4` two nodes with one task of `--gpus-per-task=4` each), or does not exist in Slurm. An unknown "
            "option is only a warning: a site's own plugin may bring it. So is one that is given twice: sbatch takes "
            "the last value and says nothing; with equal values it is a note. An abbreviated one is a note: it works "
            "as long as no other option begins so."
        ),
        "#SBATCH --mem=500G\n#SBATCH --mem-per-cpu=4G      # keep one",
    ),
    "MN733": (
        "folder of the output",
        (
            "Slurm opens the output file before the script runs. Before release 23.02 it does not create the folder, "
            "and a job whose folder is missing ends at once without any log. A relative path counts from the folder "
            "where sbatch is called. Create the folder at submission."
        ),
        "mkdir -p logs && sbatch --output=logs/%j.out job.sbatch",
    ),
    "MN734": (
        "bound to named nodes",
        (
            "A node list in the script makes it run on one cluster only, and wait for these very nodes although "
            "others are free. Let Slurm choose, or name nodes on sbatch's command line for the one run that needs "
            "them."
        ),
        "sbatch --nodelist=gpu-07 job.sbatch",
    ),
    "MN735": (
        "step runs several times on a node",
        (
            "A bare `srun` starts as many tasks as the job has. With two tasks a node Ray or the container is "
            "started twice on each, at once, and they meet; with one a GPU, torchrun starts the processes "
            "of the whole node for each. Ask for one task a node."
        ),
        "srun --ntasks-per-node=1 docker run …",
    ),
    "MN736": (
        "step that waits for another",
        (
            "Since Slurm 20.11 a step has its CPUs, GPUs and memory to itself. Beside a step that runs to the end of "
            "the job every other one waits for ever, unless it is given `--overlap`; before 22.05 both must have it. "
            "There steps share CPUs only, and one that is not to wait for the GPUs of another needs `--gres=none` too. "
            "One single step that starts everything needs none, nor do steps with `--exact` whose shares fit side by "
            "side, or steps that are put on different nodes (`--nodelist`). Where it cannot be told whether two are "
            "on one node it is a note."
        ),
        "srun --overlap ray start --head --block &\nsrun --overlap python3 train.py",
    ),
    "MN737": (
        "step without its CPUs",
        (
            "srun of Slurm 22.05 and 23.02 does not take `--cpus-per-task` from the job. The step may then be bound "
            "to one core while Ray is told many: everything works, slowly. Repeat the option on each srun, or export "
            "SRUN_CPUS_PER_TASK once."
        ),
        'srun --cpus-per-task="${SLURM_CPUS_PER_TASK}" …',
    ),
    "MN738": (
        "more nodes than the step names",
        (
            "One task on one named node needs `--nodes=1`. Slurm shrinks a larger number with a warning; stricter "
            "setups refuse it."
        ),
        'srun --nodes=1 --ntasks=1 --nodelist="${head}" …',
    ),
    "MN739": (
        "request read as a number",
        (
            "SLURM_GPUS_PER_NODE repeats what was typed in the request: `a100:8` with a type, nothing at all with "
            "`--gres`. SLURM_GPUS_ON_NODE is a plain number in every case."
        ),
        '--num-gpus="${SLURM_GPUS_ON_NODE}"',
    ),
    "MN740": (
        "CPUs per task not asked for",
        (
            "SLURM_CPUS_PER_TASK is set only when the job asks for `--cpus-per-task`; without it the variable is "
            "empty. Ask for it, or count with `nproc`."
        ),
        "#SBATCH --cpus-per-task=96",
    ),
    "MN741": (
        "path of the script",
        (
            "A job runs Slurm's copy of the script, so `dirname $0`, `${0%/*}` and the same of BASH_SOURCE are a spool "
            "folder on the node. Use SLURM_SUBMIT_DIR, the folder where sbatch was called, or a full path."
        ),
        'cd "${SLURM_SUBMIT_DIR}"',
    ),
    "MN742": (
        "one log for all jobs",
        "A fixed name is overwritten by every job and every attempt. Put the job's number into it.",
        'python3 train.py | tee "train-${SLURM_JOB_ID}.log"',
    ),
    "MN743": (
        "killed without warning",
        (
            "At its time limit a job gets SIGTERM and soon SIGKILL, and what was not saved is lost. With "
            "`--signal=B:USR1@300` the batch script gets a signal of its own 300 seconds before; it can pass it on "
            "to the training, wait for the checkpoint, and requeue the job."
        ),
        (
            "#SBATCH --signal=B:USR1@300\n"
            'trap \'kill -USR1 "${step}"; wait "${step}"; scontrol requeue "${SLURM_JOB_ID}"\' USR1'
        ),
    ),
    "MN744": (
        "runs on the batch host only",
        (
            "In a batch script only what srun starts runs on all nodes; a bare `docker exec` runs on the first. What "
            "it downloads or prepares on that node's disk is missing on the others."
        ),
        "srun --ntasks-per-node=1 docker exec …",
    ),
    "MN745": (
        "count typed by hand",
        (
            "A number that the file already holds is repeated in the driver's arguments. When somebody changes one "
            "of the two, the driver waits for nodes that never come, or leaves some idle. Take it from the "
            "launcher's variable."
        ),
        'trainer.nnodes="${SLURM_JOB_NUM_NODES}"',
    ),
    "MN746": (
        "GPUs not counted",
        (
            "Without `--num-gpus` Ray counts the devices that it sees. In a container without limits that may be all "
            "of the node's, also those of another job. Pass the launcher's number."
        ),
        'ray start --num-gpus="${SLURM_GPUS_ON_NODE}" …',
    ),
    "MN747": (
        "limit of open files",
        (
            "Ray needs more open files than the usual soft limit of 1024: with many actors it fails with `Too many "
            "open files`. Raise the soft limit up to the hard one before `ray start`."
        ),
        'ulimit -n "$(ulimit -Hn)"',
    ),
    "MN748": (
        "data on one node only",
        (
            "What one rank downloads or prepares on its own disk is missing on the others. Prepare it on every node, "
            "or on storage that all of them mount. It is told of Python programs and downloads of models that stand in "
            "a branch: of a SkyPilot task or dstack configuration in any that asks for more than files (of `setup`, "
            "which runs on all nodes, in one that asks for the node), of a batch script in one that asks for "
            "SLURM_PROCID or SLURM_NODEID 0 and writes below /tmp, /dev/shm or TMPDIR."
        ),
    ),
    "MN749": (
        "path without quotes",
        (
            "A path that is expanded outside quotes becomes two arguments at its first blank, and none when it is "
            "empty: the next word is then taken for the path. Put double quotes around it."
        ),
        'apptainer exec --bind "${data}" "${image}" …',
    ),
}
