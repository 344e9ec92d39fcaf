"""Codes of the rules on Ray, ports, GPUs and Slurm: title, explanation, perhaps an example."""

from __future__ import annotations

LAUNCH_CODES: dict[str, tuple[str, ...]] = {
    "MN200": (
        "Ray too old for IPv6 addresses",
        (
            "Ray speaks IPv6 from 2.49 on; before, the head fails after 20 seconds with `Invalid gcs_address`. Use a "
            "newer Ray, or network.family: ipv4."
        ),
        "ray: {version: 2.48.0}\nnetwork: {family: ipv6}",
    ),
    "MN201": (
        "Ray too old for a runtime_env over IPv6",
        (
            "Until 2.49 the runtime-env agent listens on IPv4 only, and any runtime_env, also that of `ray job "
            "submit`, kills the raylets after about 30 seconds. Use Ray 2.50 or newer."
        ),
    ),
    "MN202": (
        "Ray too old for the dashboard over IPv6",
        (
            "Until 2.51 the dashboard cannot listen on IPv6; `ray start` says so and exits 0, and there is no job API. "
            "Use Ray 2.52 or newer, or ray: {dashboard: {enabled: false}}."
        ),
    ),
    "MN203": (
        "Ray too old for tokens",
        "Token authentication exists from Ray 2.52 on. With an older one, ray.auth: token cannot be honoured.",
    ),
    "MN204": (
        "open dashboard without a token",
        (
            "A dashboard that binds to all addresses lets anyone who reaches it run code as you. It must demand a "
            "token: Ray 2.52 or newer and ray.auth token or auto. Loopback with `ssh -L` is the safe way."
        ),
        "ray: {auth: disabled, dashboard: {bind: all}}",
    ),
    "MN205": (
        "outside driver without a token",
        (
            "A driver that is submitted from outside must know the cluster's token, so the token comes from secrets "
            "(RAY_AUTH_TOKEN) and not from the job. The README of the target prints the lines for both sides."
        ),
    ),
    "MN206": (
        "Ray version not in the table",
        (
            "ray.version is no release number, or one that the capability table does not cover. Nothing is refused on "
            "its account; options may differ."
        ),
    ),
    "MN207": (
        "raw Ray option that mngen decides",
        (
            "`ray start` gets this option from a typed field or from the launch script on every node. A second one "
            "would contradict it: remove it, and set the field that the message names."
        ),
        "ray: {start_args: [--num-gpus=8]}",
    ),
    "MN208": (
        "Ray option of another version",
        "The named Ray does not know this option of `ray start`, and would stop. See docs/capabilities.md.",
    ),
    "MN209": (
        "Ray temp dir too long",
        (
            "A Unix socket path has at most 107 bytes. Ray adds 64 to its temp dir, and the job adds a folder of its "
            "own below ray.temp_dir. Choose a short folder on the node's disk."
        ),
    ),
    "MN210": (
        "Ray temp dir not on the node",
        (
            "ray.temp_dir must be an absolute path on each node's own disk. On a shared file system the nodes find "
            "each other's sockets and sessions."
        ),
    ),
    "MN211": (
        "port out of range",
        "Ports of a job go from 1024 to 65535; lower ones need root.",
    ),
    "MN212": (
        "port in the ephemeral range",
        (
            "The kernel gives ports of this range to outgoing connections, so a fixed one may be taken when the job "
            "starts. Use a lower one."
        ),
    ),
    "MN213": (
        "bad range of worker ports",
        (
            "ray.ports.worker_min and worker_max come together, in order, and leave room for one port for each worker "
            "process."
        ),
    ),
    "MN214": (
        "ports collide",
        "Two fields want one port, or a fixed port lies in the range of Ray's workers, which Ray refuses.",
    ),
    "MN215": (
        "port of the target's own system",
        (
            "SkyPilot runs a Ray of its own on every node, and dstack keeps ports for its agents and ssh. A job that "
            "takes one of them meets those."
        ),
    ),
    "MN216": (
        "exposed dashboard that nobody answers",
        (
            "expose opens the port of a dashboard that is off or binds to loopback. Reach it through `ssh -L`, or bind "
            "it to all addresses with a token."
        ),
    ),
    "MN217": (
        "unknown GPU model",
        (
            "gpu_type is the hardware's name (h100, mi300x). An unknown one passes, but cannot be checked against the "
            "image. The site's GRES spelling is slurm.gpu_request.type."
        ),
    ),
    "MN218": (
        "GPU of the other vendor",
        "variant decides the software stack: cuda runs on NVIDIA, rocm on AMD.",
        "variant: cuda\nresources: {gpus: 8, gpu_type: mi300x}",
    ),
    "MN219": (
        "GPU unknown to the image's CUDA or ROCm",
        (
            "Each GPU generation needs a CUDA or ROCm that knows it, and CUDA 13 dropped Volta. The base's tag tells "
            "which it has."
        ),
        "base: nvidia/cuda:12.4.1-devel-ubuntu22.04\nresources: {gpus: 8, gpu_type: b200}",
    ),
    "MN220": (
        "GPU missing from gpu_arch",
        (
            "Kernels that the image compiles are made for gpu_arch. On another GPU they fail with `no kernel image is "
            "available` or `invalid device function`."
        ),
    ),
    "MN221": (
        "bad ray.head_gpus",
        "The head cannot offer more GPUs than a node has, and cannot offer none when it is the only node.",
    ),
    "MN222": (
        "services want too many GPUs",
        "The GPUs of services are taken from the node's; Ray gets the rest.",
    ),
    "MN223": (
        "GPU field without GPUs",
        (
            "A field about GPUs is set while resources.gpus is 0, so it does nothing. Usually resources.gpus was "
            "forgotten."
        ),
    ),
    "MN224": (
        "several device lists",
        (
            "CUDA_, HIP_ and ROCR_VISIBLE_DEVICES are applied one after the other, so together their numbers mean "
            "different GPUs. Set none: the job takes them from its allocation."
        ),
    ),
    "MN225": (
        "device list of the wrong vendor",
        (
            "Ray from 2.45 on stops when it finds CUDA_VISIBLE_DEVICES, or ROCR_VISIBLE_DEVICES alone, on AMD. The job "
            "sets what is right for the vendor and the Ray version."
        ),
    ),
    "MN226": (
        "device list that does not fit",
        (
            "A device list must name as many GPUs as resources.gpus, each once; and on a shared node Slurm, not the "
            "manifest, knows which GPUs are the job's."
        ),
    ),
    "MN227": (
        "no-set switch that is on",
        "RAY_EXPERIMENTAL_NOSET_… variables switch on for every non-empty value, also 0. Remove them.",
    ),
    "MN228": (
        "raw directive that is also typed",
        (
            "slurm.extra repeats an option that a typed field or mngen itself writes, or one of its own items. The "
            "last one would win silently."
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
        "line break in a directive",
        "A directive is one line; a line break would end it and the rest would be shell text.",
    ),
    "MN233": (
        "separator of heterogeneous jobs",
        "sbatch takes a directive line with the word hetjob or packjob for a separator. Choose another text.",
    ),
    "MN234": (
        "shell syntax in a directive",
        (
            "No shell reads directives: $NAME and ~ stay as they are, and Slurm makes a folder called $SCRATCH. Write "
            "the value; ${{ vars.NAME }} is filled in at render time."
        ),
    ),
    "MN235": (
        "pattern in the folder of a log",
        (
            "Slurm opens the log before the script runs, and the folder must exist by then. Keep patterns such as %j "
            "in the file name."
        ),
    ),
    "MN236": (
        "attempts or array tasks share a log",
        "Several jobs would write one file. Add %j, or %A_%a for arrays.",
    ),
    "MN237": (
        "several --export",
        "Slurm does not add them up; only the last counts. Variables of the job belong to env.",
    ),
    "MN238": (
        "--export drops or splits variables",
        (
            "--export=NAME=value drops PATH and everything else, and splits values at commas. Variables of the job "
            "belong to env."
        ),
    ),
    "MN239": (
        "--export=NONE keeps secrets out",
        (
            "Secrets without a file come from the submitting shell, through sbatch. With --export=NONE they cannot "
            "reach the job."
        ),
    ),
    "MN240": (
        "directives that exclude each other",
        "sbatch refuses these two options together. Keep one.",
    ),
    "MN241": (
        "Slurm version not in the table",
        "slurm.version is no release number, or one that the capability table does not cover.",
    ),
    "MN242": (
        "option newer than this Slurm",
        "The named Slurm does not know this option. See docs/capabilities.md.",
    ),
    "MN243": (
        "bad time",
        (
            "Slurm's times are minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes or "
            "days-hours:minutes:seconds."
        ),
    ),
    "MN244": (
        "on_time_limit cannot happen in time",
        (
            "on_time_limit needs slurm.time, and a `before` (at most 65535 seconds) that is shorter by more than the "
            "60 seconds by which Slurm may be early."
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
            "on_node_loss: continue needs a target that keeps the other nodes: Slurm with no_kill. SkyPilot and dstack "
            "end the job."
        ),
    ),
}
