"""Codes of the rules on Ray, ports, GPUs and a node's variables: title, explanation, perhaps an example."""

from __future__ import annotations

RAY_CODES: dict[str, tuple[str, ...]] = {
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
    "MN211": (
        "Ray Client's server cannot listen on IPv6",
        (
            "Until 2.55 the head starts Ray Client's server on an IPv6 address without brackets. Where grpcio is "
            "installed, as ray[default] does, that server ends at once, and `ray start --block` ends the head with it. "
            "Use Ray 2.56 or newer, or an image without grpcio."
        ),
    ),
    "MN203": (
        "Ray too old for tokens",
        (
            "Token authentication exists from Ray 2.52 on. An older one looks at no token: neither ray.auth: token nor "
            "RAY_AUTH_TOKEN in secrets would protect anything."
        ),
    ),
    "MN204": (
        "open Ray without a token",
        (
            "Whoever reaches a dashboard that binds to all addresses, or a port of Ray's that SkyPilot opens, can run "
            "code as you. Ray must demand a token: Ray 2.52 or newer, ray.auth token or auto, and RAY_AUTH_TOKEN in "
            "secrets where no job on Slurm makes one. Loopback with `ssh -L` is the safe way."
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
        ("The capability table does not cover this release. What it says may not hold, and options may differ."),
    ),
    "MN207": (
        "raw Ray option that mngen decides",
        (
            "`ray start` gets this option from a typed field or from the launch script on every node. A second one "
            "would contradict it: remove it, and set the field that the message names. Of an option that start_args "
            "gives beside head_args or worker_args, Ray keeps one."
        ),
        "ray: {start_args: [--num-gpus=8]}",
    ),
    "MN208": (
        "Ray option of another version",
        (
            "The named Ray does not know this option of `ray start`, and would stop. See docs/capabilities.md. An "
            "option that no release up to the newest one known has is a warning: a newer one may have it."
        ),
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
            "ray.temp_dir must lie on each node's own disk. On a shared file system the nodes find "
            "each other's sockets and sessions."
        ),
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
            "image. The site's GRES spelling is slurm.gpu_request.type. SkyPilot finds no machine for a name that its "
            "catalogue does not have, unless a cluster of the user's own has it."
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
        "number of GPUs that cannot be",
        (
            "The head cannot offer more GPUs than a node has, and cannot offer none when it is the only node. "
            "resources.gpus counts the GPUs of one node, not of all."
        ),
    ),
    "MN222": (
        "services want too many GPUs",
        "The GPUs of services are taken from the node's; Ray gets the rest.",
    ),
    "MN223": (
        "GPU field without GPUs",
        (
            "A field about GPUs is set while resources.gpus is 0, so it does nothing. Usually resources.gpus was "
            "forgotten; it is a note where 0 was written."
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
        (
            "RAY_EXPERIMENTAL_NOSET_… variables switch on for every non-empty value, also 0: remove one that is to be "
            "off. The job clears what an image or `setup` has of them, and keeps what `env` has."
        ),
    ),
    "MN300": (
        "the Python that has Ray is not known",
        (
            "Checks of a node and the watch over the cluster run in the Python that has Ray. It is what `ray.command` "
            "has in the place of `ray`; a command that ends in another word, or a text for `bash -c`, does not tell it."
        ),
        "ray: {command: [/opt/bin/start-ray], python: [/opt/venv/bin/python3]}",
    ),
    "MN301": (
        "variable that the node may not have",
        (
            "`${{ env.NAME }}` that `env` does not set is the node's own. SkyPilot and dstack start nodes of their "
            "own, which get nothing of the submitting shell: what the image does not set is not there, and the job "
            "stops, unless it has a default: `${{ env.NAME:-20 }}`. It is read after `host_setup`, whose modules may "
            "set it, and before `setup`, whose variables come too late. What the script finds out itself (NODE_IP, "
            "HEAD_IP, NODE_RANK and the like) has placeholders of its own."
        ),
        "env: {BASE_DIR: /data}",
    ),
    "MN302": (
        "driver that is a launcher",
        (
            "The driver runs once, on the head, when Ray has all nodes. A launcher such as torchrun or accelerate that "
            "is told of several nodes waits there for the others, on which nothing starts it; srun waits for what the "
            "job's own step has, and `ray start` brings up a second cluster. Ray's workers are how a driver uses the "
            "other nodes. A service is no way around it for what ends before the driver, as a launcher does: that is a "
            "part that died. A server of several nodes (vLLM, SGLang) is a service with `on: every-node`, each with "
            "its own `${{ node_rank }}`."
        ),
        "resources: {nodes: 2}\ndriver: {command: [torchrun, --nnodes=2, train.py]}",
    ),
    "MN303": (
        "requirements file that pip does not find",
        (
            "Ray writes the items of runtime_env.pip into a file of its own and gives that to pip. An item that is a "
            "path alone is a package's name to pip, and a relative path behind `-r` begins beside Ray's file. Where "
            "`working_dir` is sent, Ray puts its place on the node for `${RAY_RUNTIME_ENV_CREATE_WORKING_DIR}`; an "
            "absolute path must exist on every node."
        ),
        "driver: {submit: ray-job, runtime_env: {working_dir: ., pip: [requirements.txt]}}",
    ),
    "MN316": (
        "word that is no option of ray start",
        (
            "Each item of ray.start_args, head_args and worker_args is one word of `ray start`: an option, or the "
            "value of the option before it. `ray start` has no other arguments: at any other word, and at an option "
            "that lacks its value, it says how it is used and ends, and with it the node's part of the job."
        ),
        "ray: {start_args: [--labels]}",
    ),
    "MN317": (
        "driver that submits to a fixed port",
        (
            "On Slurm several jobs may share a node, so the dashboard of each takes a port of the job's own block, and "
            "8265 is nobody's, or that of somebody else's job. With `submit: ray-job` mngen submits the driver to the "
            "job's own Ray, passes its arguments unchanged, and takes over its status."
        ),
        "driver: {command: [ray, job, submit, --address, http://127.0.0.1:8265, --, python3, train.py]}",
    ),
    "MN319": (
        "output that goes with the job",
        (
            "A `working_dir` in Ray's runtime_env is copied to every node, below Ray's session, and the driver and its "
            "workers start in that copy. The session is in the job's own folder, which is removed when the job ends: a "
            "checkpoint that was written to a relative path is gone, and a job that is put back into the queue finds "
            "none. An absolute path on storage that all nodes share stays."
        ),
        "driver: {args: [trainer.default_local_dir=checkpoints], submit: ray-job, runtime_env: {working_dir: .}}",
    ),
}
