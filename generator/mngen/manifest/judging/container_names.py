"""Options of the container runtimes: what mngen writes itself, what a typed field decides, what opens the node.

From ``docker run --help`` (28.5), ``podman run --help`` (4.3), ``apptainer exec --help`` (1.4) and the
README of pyxis (0.24).
"""

from __future__ import annotations

from collections.abc import Mapping

from mngen.manifest.model import Runtime

_DOCKER_OWN = {
    "--detach": "the container runs in the foreground and ends with the job",
    "--rm": "it is always given",
    "--init": "it is always given",
    "--name": "containers carry the job's name, so that only they are stopped",
    "--network": "Ray needs the host's network",
    "--interactive": "standard input ties the container's life to the job's",
    "--tty": "a terminal would change the driver's output and signals",
    "--entrypoint": "the launch script is started itself",
    "--restart": "a container that restarts would outlive the job",
    "--cgroup-parent": "it follows the job",
    "--env-file": "the file is read as text of its own rules; use env or env_files",
}
OWN: Mapping[Runtime, Mapping[str, str]] = {
    Runtime.DOCKER: _DOCKER_OWN,
    Runtime.PODMAN: _DOCKER_OWN,
    Runtime.APPTAINER: {
        "--net": "Ray needs the host's network",
        "--network": "Ray needs the host's network",
        "--env-file": "the file is read as shell text; use env or env_files",
    },
    Runtime.PYXIS: {
        "--container-image": "image decides it",
        # One value of each plugin's option reaches the nodes, the last: spank_option in src/common/plugstack.c.
        "--container-mounts": "mounts decides it, and a second one would take the place of the first",
        "--container-name": "containers of other jobs could be met",
        "--container-env": "it lists the names in env and secrets",
        "--container-save": "several nodes would write one file",
    },
}
TYPED: Mapping[Runtime, Mapping[str, str]] = {
    Runtime.DOCKER: {
        "--shm-size": "resources.shm",
        "--ipc": "resources.shm",
        "--gpus": "resources.gpus",
        "--workdir": "workdir",
        "--ulimit": "ulimits",
        "--user": "container.user",
        "--pull": "container.pull",
        "--cpus": "resources.cpus",
        "--memory": "resources.memory",
    },
    Runtime.APPTAINER: {
        "--nv": "resources.gpus",
        "--nvccli": "resources.gpus",
        "--rocm": "resources.gpus",
        "--pwd": "workdir",
        "--cwd": "workdir",
        "--cleanenv": "container.clean_env",
        "--writable": "container.writable",
        "--writable-tmpfs": "container.writable",
        "--no-home": "container.mount_home",
        "--home": "container.mount_home",
    },
    Runtime.PYXIS: {
        "--container-workdir": "workdir",
        "--container-mount-home": "container.mount_home",
        "--no-container-mount-home": "container.mount_home",
        "--container-writable": "container.writable",
        "--container-readonly": "container.writable",
    },
}
TYPED = {**TYPED, Runtime.PODMAN: {**TYPED[Runtime.DOCKER], "--userns": "container.user"}}
_DOCKER_RISKS = {
    "--privileged": "it gives the container every GPU of the node, whatever Slurm allotted, and root on the node",
    "--pid": "processes of other jobs become visible, and may be stopped by name",
}
RISKS: Mapping[Runtime, Mapping[str, str]] = {
    Runtime.DOCKER: _DOCKER_RISKS,
    Runtime.PODMAN: _DOCKER_RISKS,
    Runtime.APPTAINER: {
        "--containall": "it hides the GPUs' device files and gives a /tmp and /dev/shm of 64 MiB",
        "--contain": "it hides the GPUs' device files and gives a /tmp and /dev/shm of 64 MiB",
        "--pid": "the launch script inside cannot see the processes it has to stop on the host",
    },
    Runtime.PYXIS: {"--container-remap-root": "files are then written as root inside, and ids differ between nodes"},
}
_DOCKER_SHORTS = {
    "-a": "--attach",
    "-c": "--cpu-shares",
    "-d": "--detach",
    "-e": "--env",
    "-i": "--interactive",
    "-t": "--tty",
    "-u": "--user",
    "-v": "--volume",
    "-w": "--workdir",
    "-m": "--memory",
    "-h": "--hostname",
    "-l": "--label",
    "-p": "--publish",
    "-P": "--publish-all",
    "-q": "--quiet",
}
SHORTS: Mapping[Runtime, Mapping[str, str]] = {
    Runtime.DOCKER: {**_DOCKER_SHORTS, "--net": "--network"},
    Runtime.PODMAN: {**_DOCKER_SHORTS, "--net": "--network"},
    Runtime.APPTAINER: {
        "-B": "--bind",
        "-C": "--containall",
        "-c": "--contain",
        "-e": "--cleanenv",
        "-f": "--fakeroot",
        "-H": "--home",
        "-i": "--ipc",
        "-n": "--net",
        "-o": "--overlay",
        "-p": "--pid",
        "-S": "--scratch",
        "-u": "--userns",
        "-w": "--writable",
        "-W": "--workdir",
    },
    Runtime.PYXIS: {},
}
