"""Codes of the rules on Slurm: title, explanation, perhaps an example."""

from __future__ import annotations

SLURM_CODES: dict[str, tuple[str, ...]] = {
    "MN228": (
        "raw directive that is also typed",
        (
            "slurm.extra repeats an option that a typed field or mngen itself writes, or one of its own items. The "
            "last one would win silently. --signal is on_time_limit's: without it nothing in the job waits for the "
            "signal, and shells end at it."
        ),
        "slurm: {partition: gpu, extra: [--partition=debug]}",
    ),
    "MN229": (
        "no directive",
        (
            "sbatch stops reading directives at a word that it does not know. Each item of slurm.extra is an option, "
            "or the value of the one before."
        ),
    ),
    "MN230": (
        "GPUs asked for twice",
        (
            "resources.gpus becomes --gpus-per-node (or --gres, by slurm.gpu_request). A second request contradicts "
            "it; from Slurm 26.05 on --gres=gpu beside --gpus-per-node is fatal."
        ),
        "resources: {gpus: 8}\nslurm: {extra: [--gres=gpu:8]}",
    ),
    "MN231": (
        "GPUs asked for nowhere",
        (
            "slurm.gpu_request.form is none, so neither mngen nor slurm.extra asks Slurm for the GPUs. That is right "
            "only where whole nodes are given."
        ),
    ),
    "MN232": (
        "directive that ends early",
        "In a directive an unquoted # begins a comment, and the rest of the line is lost. Write \\#.",
    ),
    "MN233": (
        "separator of heterogeneous jobs",
        "sbatch takes a directive line with the word hetjob or packjob for a separator. Choose another text.",
    ),
    "MN234": (
        "shell syntax in a directive",
        (
            "No shell reads directives: $NAME and ~ stay as they are, and Slurm makes a folder called $SCRATCH. Write "
            "the value; ${{ vars.NAME }} is filled in at render time. In a comment, which is text for people, it is a "
            "note, and a $ before anything else is nothing to tell of."
        ),
    ),
    "MN235": (
        "pattern in the folder of a log",
        (
            "Slurm opens the log before the script runs. Since 23.02 it makes the folder then; before, or where "
            "slurm.version does not say, the folder must exist, so patterns such as %j are kept in the file name; %u "
            "is fine, as a user's own folder is. In logs.dir no pattern is filled in for what mngen keeps there itself."
        ),
    ),
    "MN236": (
        "attempts or array tasks share a file",
        (
            "Several jobs would write one file. Add %j, or %A_%a for arrays; to the file of an endpoint "
            "${{ job_id }} or ${{ env.SLURM_ARRAY_TASK_ID }}."
        ),
    ),
    "MN237": (
        "several --export",
        "Slurm does not add them up; only the last counts. Variables of the job belong to env.",
    ),
    "MN238": (
        "--export drops or splits variables",
        (
            "--export=NAME=value drops PATH and everything else of the shell that submits, and splits values at "
            "commas. Variables of the job belong to env."
        ),
    ),
    "MN239": (
        "--export keeps secrets out",
        (
            "Secrets without a file come from the submitting shell, through sbatch. With --export=NONE, or a list "
            "without their names, they cannot reach the job; of one with required: false nobody would notice."
        ),
    ),
    "MN240": (
        "directives that exclude each other",
        "Slurm refuses these two options together, or what they ask for together. Keep one, or make them fit.",
    ),
    "MN241": (
        "Slurm version not in the table",
        "slurm.version is a release that the capability table does not cover: before its first or after its last.",
    ),
    "MN242": (
        "option newer than this Slurm",
        "The named Slurm does not know this option. See docs/capabilities.md.",
    ),
    "MN243": (
        "time that says something else",
        (
            "slurm.time_min is at most slurm.time. slurm.begin and slurm.deadline are moments in one of the forms of "
            "sbatch(1), --begin. Slurm's times are minutes, minutes:seconds, hours:minutes:seconds, "
            "days-hours, days-hours:minutes or days-hours:minutes:seconds, and at most 68 years: it counts "
            "seconds in 32 bits."
        ),
    ),
    "MN244": (
        "on_time_limit cannot happen in time",
        (
            "on_time_limit needs slurm.time, and a `before` that is shorter by more than the 60 seconds by which "
            "Slurm may be early; shorter than slurm.time_min too, which may be all that Slurm grants."
        ),
    ),
    "MN245": (
        "requeue that is forbidden",
        "on_time_limit.then: requeue and slurm.requeue: false contradict each other.",
    ),
    "MN246": (
        "resume and requeue do not fit",
        (
            "resume arguments are used from the second attempt on, which only a requeue brings; and a requeued job "
            "without them starts the same command again."
        ),
    ),
    "MN247": (
        "node loss that ends the job anyway",
        (
            "on_node_loss: continue needs a target that keeps the other nodes: Slurm, whose job gets --no-kill unless "
            "the manifest says no_kill: false. SkyPilot and dstack end the job."
        ),
    ),
    "MN248": (
        "fixed port where jobs take theirs",
        (
            "On shared nodes each job takes a block of ports by its number, so that jobs do not meet. A fixed port in "
            "that area is met by some of them. Write none: a port below the area is still met by what fixes it too, "
            "such as a second job of the same manifest on the node."
        ),
    ),
    "MN249": (
        "ray.version is not the image's",
        (
            "The manifest installs one Ray into its image and names another in ray.version. Each node compares the two "
            "before the cluster starts, and would stop."
        ),
        'ray: {version: 2.52.1}\nimage: {pip: {packages: ["ray[default]==2.50.0"]}}',
    ),
    "MN304": (
        "Slurm variable where there is none",
        (
            "Slurm sets its variables on its nodes. docker and podman let none of them into a container, no more does "
            "apptainer with container.clean_env, and other kinds of target have none: the text would read an empty "
            "value. ${{ job_id }}, ${{ node_rank }} and ${{ nodes }} are known everywhere, and a placeholder such as "
            "${{ env.SLURM_ARRAY_TASK_ID }} takes the node's value into the container. `${SLURM_JOB_ID:-}` says that "
            "it may be missing."
        ),
        "cleanup: rm -rf /scratch/$SLURM_JOB_ID",
    ),
    "MN305": (
        "srun option that the job writes itself, or that breaks its step",
        (
            "One srun starts the job on all nodes. slurm.srun_args adds to its options, each item as one word of its "
            "command line. Those by which nodes are chosen and get the job file, by which the step ends, and what "
            "resources says already are the job's own, and pyxis has container.options. A word that is no option, "
            "or an option that lacks its value, would take the job's program for something else. Options that srun "
            "does not have are a plugin's of the site."
        ),
        "slurm: {srun_args: [--ntasks=1]}",
    ),
}
