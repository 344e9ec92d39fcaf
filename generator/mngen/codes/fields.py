"""Codes of the rules on variables, services and targets: title, explanation, perhaps an example."""

from __future__ import annotations

from mngen.codes.runtimes import RUNTIME_CODES

FIELD_CODES: dict[str, tuple[str, ...]] = {
    **RUNTIME_CODES,
    "MN253": (
        "path that a mount cannot hold",
        (
            "The parts of a container's mount are joined by colons, on some runtimes by commas, and pyxis hands them "
            "through a shell. A path with such a character would be cut, and no quoting helps."
        ),
        "runtime: apptainer\nmounts: [{source: '/scratch/a,b', target: /data}]",
    ),
    "MN254": (
        "invisible character in a directive",
        (
            "Directives have no escapes. A character that nobody sees, or that turns the direction of the text, would "
            "show operators another job than Slurm reads."
        ),
    ),
    "MN255": (
        "command that begins with no program",
        (
            "Commands are lists of words that no shell reads. Their first word is the program: an option or an "
            "assignment in its place would be taken by whatever starts the command."
        ),
        "driver: {command: [CUDA_LAUNCH_BLOCKING=1, python3, train.py]}     # goes to env",
    ),
    "MN256": (
        "ray.temp_dir with a special name",
        "The folder goes through mounts, socket paths and Ray's own commands, where only plain names are safe.",
    ),
    "MN258": (
        "host of a mirror that looks misspelt",
        (
            "The key is compared with the hosts that things are fetched from, letter by letter; this one is nearly a "
            "well-known one. Images of Docker Hub are those of docker.io, whatever other names it has."
        ),
        "mirrors: {apt: {archive.ubunut.com: 'http://mirror.example.org/ubuntu'}}",
    ),
    "MN259": (
        "variable against the fabric",
        (
            "network.fabric names NCCL's transport, so that a fabric which cannot be used ends the job instead of "
            "leaving it on TCP. A variable that names another one, or switches it off, contradicts that."
        ),
    ),
    "MN260": (
        "variable that the job sets itself",
        (
            "This variable is different on each node or in each job, so the launch script sets it (or bash keeps it "
            "for itself). A fixed value would break the cluster."
        ),
        "env: {VLLM_HOST_IP: 10.0.0.1}",
    ),
    "MN261": (
        "variable that a program reads otherwise",
        (
            "SLURM_… and SBATCH_… variables are options of Slurm's commands, APPTAINERENV_… is Apptainer's own "
            "spelling. Use the field that the hint names."
        ),
    ),
    "MN262": (
        "incomplete registry login",
        "SkyPilot wants SKYPILOT_DOCKER_USERNAME, _PASSWORD and _SERVER together, and all in the same block.",
    ),
    "MN263": (
        "Gloo wants an interface's name",
        "GLOO_SOCKET_IFNAME takes plain names. NCCL's `^lo` and `=eth0` are valid in NCCL_SOCKET_IFNAME only.",
        "env: {GLOO_SOCKET_IFNAME: ^lo}",
    ),
    "MN264": (
        "variable that refers to itself",
        (
            "Values of env are literal: $PATH in a value stays the text `$PATH`. Export it in setup, which is shell "
            "text."
        ),
    ),
    "MN265": (
        "secret with a value in the manifest",
        ("The name is listed under secrets, and another field gives it a value, which would stand in generated files."),
    ),
    "MN266": (
        "variable that is set and removed",
        "env or secrets sets a variable that unset_env or ray.unset_env_prefixes removes.",
    ),
    "MN267": (
        "text that looks like a credential",
        (
            "The text has the form of a token, key or password. Generated files are checked in and readable on the "
            "cluster. Put the name under secrets, and revoke a credential that was ever checked in."
        ),
        "env: {HF_TOKEN: hf_…}",
    ),
    "MN268": (
        "secret on a command line",
        (
            "Command lines can be read by every user of a node, with the paths in them, and Ray shows a runtime_env on "
            "its dashboard. Programs should read the variable themselves."
        ),
    ),
    "MN269": (
        "relative path of a file on the node",
        (
            "Files of variables and of images are read on each node, which starts in no particular folder. Write an "
            "absolute path, or ${{ env.HOME }}/…. The file of driver.runtime_env is read on the head, in workdir."
        ),
    ),
    "MN280": (
        "network field that cannot work",
        (
            "The interface must reach other nodes (not loopback, not a container bridge), and cidr must be a range of "
            "the asked family."
        ),
    ),
    "MN281": (
        "only a submitted job has this",
        (
            "from: outside, wait: false and runtime_env belong to submit: ray-job; and a head that does not wait would "
            "stop the cluster at once."
        ),
    ),
    "MN282": (
        "step that the workers would not run",
        (
            "When the cluster is complete, the head alone goes on to the driver. A step for every node runs before Ray "
            "starts there: write when: before-ray."
        ),
    ),
    "MN307": (
        "result of a step that is never found",
        (
            "A step is left out once the path in its `creates` exists. The path is tested as it stands, so a pattern "
            "such as *.parquet is never found and the step runs every time; below a mount with mode: ro no step can "
            "make it."
        ),
        'prepare: [{run: python3 fetch.py, creates: "/data/*.parquet"}]',
    ),
    "MN283": (
        "ray-job without a dashboard",
        (
            "`ray job submit` talks to the dashboard's job API, so the dashboard must be enabled. It binds to loopback "
            "by default."
        ),
    ),
    "MN284": (
        "two debuggers",
        "Post-mortem stops belong to Ray's distributed debugger; legacy switches back to the old one. Keep one.",
    ),
    "MN285": (
        "port that the service has not",
        "Something uses the port of a service that has none: write port: auto. Or the job's plan holds too few.",
    ),
    "MN286": (
        "service name that collides",
        (
            "Services become variables such as RETRIEVER_PORT. Two names must not give one variable, nor one of Ray's, "
            "and the launch script's own parts have names too."
        ),
    ),
    "MN287": (
        "bad endpoint",
        "endpoint.service must name a service with a port, and the file should be where other jobs can read it.",
    ),
    "MN288": (
        "limit that does not fit",
        "The number of open files is bounded by the kernel (fs.nr_open), and Ray needs thousands.",
    ),
    "MN289": (
        "memory that does not add up",
        (
            "Memory is given once: for the node, per CPU or per GPU. /dev/shm counts towards it, and the object store "
            "must fit into /dev/shm, of which Docker and podman give 64 MiB unless resources.shm says more."
        ),
    ),
    "MN290": (
        "name that the target refuses",
        (
            "dstack wants ^[a-z][a-z0-9-]{1,40}$; SkyPilot wants letters, digits, . _ - with a letter or digit at both "
            "ends."
        ),
        "name: verl_dapo",
    ),
    "MN291": (
        "target name that is taken",
        "The output folder has an `images` folder of its own.",
    ),
    "MN292": (
        "client version not in the table",
        "version is a release of SkyPilot or dstack that the capability table does not cover.",
    ),
    "MN293": (
        "field newer than the client",
        "The named SkyPilot or dstack does not know this field. See docs/capabilities.md.",
    ),
    "MN294": (
        "raw key that is also typed",
        (
            "raw is merged into the generated document, and a typed field writes the same key, or ought to: Ray is "
            "told of the GPUs of resources.gpus alone. Keep the typed one."
        ),
    ),
    "MN312": (
        "key of raw where the client knows none",
        (
            "raw is merged into the generated file as it is, so its keys stand where they stand in that file: most of "
            "SkyPilot's are in `resources`, most of dstack's are not. Both clients refuse a file with a key that they "
            "do not know."
        ),
        "targets: {cloud: {kind: skypilot, raw: {use_spot: true}}}     # write raw: {resources: {use_spot: true}}",
    ),
    "MN295": (
        "value that no process can be given",
        "Linux limits one argument or variable to 131071 bytes, all of them to 6 MiB, and a path to 4095 bytes.",
    ),
    "MN296": (
        "code that moves",
        "Without a ref, each attempt and each node may run other code. Name a commit or a tag.",
    ),
    "MN297": (
        "shell syntax that stays as it is",
        (
            "No shell reads values outside of setup and the other scripts: $HOME and ~ reach the program, or "
            "the file system, as they are, and an item with a blank is one word. ${{ env.HOME }} is filled in on each "
            "node. Only in driver.runtime_env.env_vars does Ray itself put in $NAME and ${NAME}, from the environment "
            "of each process's node; a ${NAME} of capitals that is not set there is taken away, and nothing escapes "
            "them."
        ),
        "mounts: [{source: $SCRATCH/hf, target: /hf}]",
    ),
    "MN298": (
        "driver's counts do not fit the cluster",
        (
            "The driver's arguments want more nodes or GPUs than Ray has and would wait for ever, or some stay idle. "
            "${{ nodes }} and ${{ gpus }} follow the manifest."
        ),
        "resources: {nodes: 2, gpus: 8}\ndriver: {args: [trainer.nnodes=4]}",
    ),
    "MN299": (
        "script that reaches beyond the job",
        (
            "The command stops, deletes or shows what is not this job's alone: other jobs' Ray and processes, other "
            "users' images, secrets in a log; or it replaces how the job ends, or what its script has "
            "named; or it asks the node for what a container does not see. A comment `# mngen ignore=MN299` on the "
            "line or above it says that it is meant."
        ),
        "cleanup: ray stop --force",
    ),
    "MN308": (
        "service that needs Ray",
        (
            "Services start before Ray, and the driver when they and the cluster are ready. A service that joins Ray, "
            "or whose workers Ray starts, waits for what waits for it. A server on Ray is the driver; its clients find "
            "it at the head's address and the port that it is given."
        ),
        "services: {api: {command: [serve, run, 'app:app']}}",
    ),
    "MN309": (
        "service with fewer GPUs than its server takes",
        (
            "A service sees services.NAME.gpus of its node's GPUs, which is none unless it is written. A server of "
            "vLLM or SGLang takes as many as its tensor and pipeline parallel sizes make, and fails without them."
        ),
        "services: {api: {command: [vllm, serve, m, --tensor-parallel-size=4], gpus: 1}}",
    ),
    "MN310": (
        "argument that is given twice",
        (
            "Of two arguments `a.b=…` Hydra takes the last one, and says nothing of the first. What a layer replaces "
            "goes to its extra_args, what a second attempt does to resume."
        ),
        "driver: {args: [trainer.total_epochs=15, trainer.total_epochs=1]}",
    ),
}
