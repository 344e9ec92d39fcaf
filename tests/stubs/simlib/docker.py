"""`docker` and `podman` clients (and `enter-image`, a command prefix as sites have them)."""

import csv
import os
import select
import signal
import socket
import sys
import uuid
from typing import Any

from simlib import devices, engine, rootfs, wire
from simlib.options import Parsed, Refused, Table
from simlib.place import Sim

RUN = """
add-host= annotation= a/attach= blkio-weight= cap-add= cap-drop= cgroup-parent= cgroupns= cidfile= c/cpu-shares= cpus=
cpuset-cpus= cpuset-mems= d/detach device= device-cgroup-rule= dns= entrypoint= e/env= env-file= expose= gpus=
group-add= h/hostname= init i/interactive ip= ip6= ipc= isolation= l/label= label-file= link= log-driver= log-opt=
m/memory= memory-reservation= memory-swap= memory-swappiness= mount= name= network|net= network-alias= no-healthcheck
oom-kill-disable oom-score-adj= pid= pids-limit= platform= privileged p/publish= P/publish-all pull= q/quiet read-only
restart= rm runtime= security-opt= shm-size= sig-proxy? stop-signal= stop-timeout= sysctl= tmpfs= t/tty ulimit=
u/user= userns= uts= v/volume= volumes-from= w/workdir=
"""
PODMAN = "replace? tz= umask= systemd= hooks-dir= rmi unsetenv= unsetenv-all env-host http-proxy? passwd? timeout= cgroups= conmon-pidfile= rootfs"
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)
KNOWN_UNITS = {"b": 1, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}


def _gpus(sim: Sim, parsed: Parsed) -> tuple[list[str], dict[str, str]]:
    """Device files and variables for `--gpus`; commas split unless quoted inside, as in docker's CSV."""
    present = devices.present(sim.config["vendor"])
    chosen: list[int] | None = None
    for value in parsed.options.get("gpus", []):
        if sim.config["vendor"] != "cuda":
            raise Refused('docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].', 125)
        ids: list[str] = []
        count = None
        for item in next(csv.reader([value])):
            name, equals, text = item.partition("=")
            if name == "device" and equals:
                ids = text.split(",")
            elif item == "all" or item.isdigit():
                count = len(present) if item == "all" else int(item)
            elif name not in ("driver", "capabilities", "count", "options"):
                raise Refused(f"invalid argument {value!r} for \"--gpus\" flag: unexpected key {name!r}", 125)
        if ids and count is not None:
            raise Refused("docker: Error response from daemon: cannot set both Count and DeviceIDs on device request.", 125)
        chosen = [int(item) for item in ids] if ids else present[:count]
        if any(number not in present for number in chosen):
            raise Refused("docker: Error response from daemon: nvidia-container-cli: device error: unknown device", 125)
    if chosen is None:
        return [], {}
    return devices.gpu_devices("cuda", chosen), {"NVIDIA_VISIBLE_DEVICES": ",".join(str(number) for number in chosen)}


def _devices(parsed: Parsed, vendor: str) -> list[str]:
    found = []
    for value in parsed.options.get("device", []):
        name = value.partition(":")[0]
        if name.startswith("nvidia.com/gpu="):
            wanted = name.partition("=")[2]
            found += devices.gpu_devices("cuda", devices.present(vendor) if wanted == "all" else [int(wanted)])
        elif os.path.isdir(name):
            found += [os.path.join(folder, item) for folder, _, files in os.walk(name) for item in files]
        elif os.path.exists(name):
            found.append(name)
        else:
            raise Refused(f'docker: Error response from daemon: error gathering device information while adding custom device "{name}": no such file or directory', 125)
    if parsed.has("privileged"):
        found += [os.path.join(folder, item) for folder, _, files in os.walk("/dev") for item in files if not folder.startswith(("/dev/shm", "/dev/pts"))]
    return [name for name in dict.fromkeys(found) if os.path.basename(name) not in devices.STANDARD]


def _mounts(parsed: Parsed) -> list[rootfs.Mount]:
    found = []
    for value in parsed.options.get("volume", []):
        mount = rootfs.parse_mount(value)
        if not mount.target.startswith("/") or not mount.source.startswith("/"):
            raise Refused(f'docker: Error response from daemon: create {mount.source}: "{mount.source}" includes invalid characters for a local volume name', 125)
        os.makedirs(mount.source, exist_ok=True)  # docker makes a missing folder, as root
        found.append(mount)
    for value in parsed.options.get("mount", []):
        fields = dict(item.partition("=")[::2] for item in next(csv.reader([value])))
        source, target = fields.get("source", fields.get("src", "")), fields.get("target", fields.get("dst", fields.get("destination", "")))
        if set(fields) - {"type", "source", "src", "target", "dst", "destination", "readonly", "ro", "bind-propagation"}:
            raise Refused(f"invalid argument {value!r} for \"--mount\" flag: unexpected key", 125)
        if fields.get("type") != "bind" or not target.startswith("/"):
            raise Refused(f"invalid argument {value!r} for \"--mount\" flag", 125)
        if not os.path.exists(source):
            raise Refused(f'docker: Error response from daemon: invalid mount config for type "bind": bind source path does not exist: {source}', 125)
        found.append(rootfs.Mount(source, target, fields.get("readonly", fields.get("ro", "false")) in ("", "true", "1")))
    return found


def _env(sim: Sim, parsed: Parsed, more: dict[str, str]) -> dict[str, str]:
    env = {**rootfs.image_env(sim), "HOSTNAME": parsed.last("hostname") or sim.here, "HOME": "/root"}
    if parsed.has("tty"):
        env["TERM"] = "xterm"
    items = [line for path in parsed.options.get("env-file", []) for line in open(path).read().splitlines() if line and not line.startswith("#")]
    for item in items + parsed.options.get("env", []):
        name, equals, value = item.partition("=")
        if equals:
            env[name] = value
        elif os.environ.get(name) is not None:
            env[name] = os.fsdecode(os.environb[os.fsencode(name)])
    env.update(more)
    return env


def _ulimits(parsed: Parsed) -> None:
    for value in parsed.options.get("ulimit", []):
        name, _, limit = value.partition("=")
        numbers = limit.split(":")
        if name not in ("core", "cpu", "data", "fsize", "locks", "memlock", "msgqueue", "nice", "nofile", "nproc", "rss", "rtprio", "rttime", "sigpending", "stack") or not all(number.lstrip("-").isdigit() for number in numbers):
            raise Refused(f"invalid argument {value!r} for \"--ulimit\" flag: invalid ulimit argument", 125)


def _shm(parsed: Parsed) -> str:
    if parsed.last("ipc") == "host":
        return ""
    text = (parsed.last("shm-size") or "64m").lower().removesuffix("b")
    number, unit = (text[:-1], text[-1]) if text[-1] in KNOWN_UNITS else (text, "b")
    if not number.replace(".", "", 1).isdigit():
        raise Refused(f"invalid argument {text!r} for \"--shm-size\" flag: invalid size", 125)
    return str(int(float(number) * KNOWN_UNITS[unit]))


def _plan(sim: Sim, program: str, parsed: Parsed) -> dict[str, Any]:
    if not parsed.words:
        raise Refused(f'"{program} run" requires at least 1 argument.', 125)
    if parsed.has("rm") and (parsed.last("restart") or "no") != "no":
        raise Refused("conflicting options: cannot specify both --restart and --rm", 125)
    rootfs.check_image(sim, parsed.words[0])
    _ulimits(parsed)
    gpu_files, gpu_env = _gpus(sim, parsed)
    command = parsed.words[1:] or sim.config["image"].get("command", ["bash"])
    entry = parsed.last("entrypoint")
    entrypoint = sim.config["image"].get("entrypoint", []) if entry is None else [entry] if entry else []
    env = _env(sim, parsed, gpu_env)
    files = gpu_files + _devices(parsed, sim.config["vendor"])
    if any(name.startswith("/dev/nvidia") for name in files):
        env["PATH"] = f"{sim.root}/gpubin:" + env["PATH"]
    return {
        "id": uuid.uuid4().hex * 2,
        "name": parsed.last("name") or "random_" + uuid.uuid4().hex[:8],
        "program": program,
        "image": parsed.words[0],
        "argv": [*entrypoint, *command],
        "env": env,
        "mounts": [vars(mount) for mount in _mounts(parsed)],
        "devices": files,
        "shm": _shm(parsed),
        "init": parsed.has("init"),
        "host_pid": parsed.last("pid") == "host",
        "remove": parsed.has("rm"),
        "workdir": parsed.last("workdir") or sim.config["image"].get("workdir", "/"),
        "user": parsed.last("user") or "",
        "read_only": parsed.has("read-only"),
        "host_network": parsed.last("network") == "host",
        "labels": parsed.options.get("label", []),
        "options": parsed.options,
    }


def _attach(sim: Sim, plan: dict[str, Any], *, interactive: bool, detached: bool) -> int:
    """Start the container in the engine; copy streams until it ends; pass signals on."""
    stdin_read, stdin_write = os.pipe()
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    far = (stdin_read, out_write, err_write)
    if plan["program"] == "podman":
        sock = engine.fork_conmon(sim, plan, far)
    else:
        sock = wire.ask_lab(str(sim.root), {"do": "call", "function": "engine", "node": sim.here, "args": plan}, far)
        wire.receive(sock)
    for fd in far:
        os.close(fd)
    if detached:
        print(plan["id"])
        return 0
    for number in SIGNALS:
        signal.signal(number, lambda received, _frame: engine.signal_container(sim, plan["name"], received))
    if not interactive:
        os.close(stdin_write)
    return _copy(sock, {out_read: 1, err_read: 2}, stdin_write if interactive else None)


def _copy(sock: socket.socket, outputs: dict[int, int], stdin: int | None) -> int:
    status: int | None = None
    while status is None or outputs:
        watched = [*outputs] + ([] if status is not None else [sock.fileno()]) + ([0] if stdin is not None else [])
        ready, _, _ = select.select(watched, [], [], 1)
        for fd in ready:
            if fd == sock.fileno():
                try:
                    status = wire.receive(sock)[0]["exit"]
                except EOFError:
                    status = 137
                continue
            data = os.read(fd, 65536)
            if fd == 0 and stdin is not None:
                try:
                    os.write(stdin, data)
                except OSError:
                    data = b""
                if not data:
                    os.close(stdin)
                    stdin = None
            elif data:
                os.write(outputs[fd], data)
            else:
                os.close(fd)
                del outputs[fd]
    return status


def _run(sim: Sim, program: str, argv: list[str]) -> int:
    table = Table(f"{program} run", RUN + (PODMAN if program == "podman" else ""))
    parsed = table.parse(argv)
    plan = _plan(sim, program, parsed)
    if parsed.has("tty") and not os.isatty(0):
        raise Refused("the input device is not a TTY", 1)
    with sim.locked(f"containers-{sim.here}") as containers:
        if plan["name"] in containers:
            raise Refused(f'docker: Error response from daemon: Conflict. The container name "/{plan["name"]}" is already in use by container "{containers[plan["name"]]["id"]}".', 125)
        containers[plan["name"]] = {"id": plan["id"], "state": "created", "image": plan["image"], "labels": plan["labels"], "env": plan["env"]}
    sim.record("container", runtime=program, **{key: value for key, value in plan.items() if key not in ("program",)}, pid=os.getpid())
    return _attach(sim, plan, interactive=parsed.has("interactive"), detached=parsed.has("detach"))


def main(root: str) -> int:
    """Run `docker` or `podman`."""
    sim = Sim(root)
    program = os.path.basename(sys.argv[0])
    top = Table(program, "config= c/context= D/debug H/host= l/log-level= v/version root= runroot= storage-opt=").parse(sys.argv[1:])
    sim.record_call(program, sys.argv[1:])
    if top.has("version"):
        print(f"{program} version {'28.5.2' if program == 'docker' else '4.3.1'}")
        return 0
    if program == "docker" and sim.fault("no_docker"):
        raise Refused("Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", 1)
    command, rest = top.words[:1], top.words[1:]
    if command == ["run"]:
        return _run(sim, program, rest)
    return engine.command(sim, program, top.words)


def prefix(root: str) -> int:
    """`enter-image --image=REF COMMAND…`: the host's environment, home, /tmp and working directory; the image's PATH."""
    sim = Sim(root)
    parsed = Table("enter-image", "image= V/volume= e/env= module=").parse(sys.argv[1:])
    rootfs.check_image(sim, parsed.last("image") or "")
    env = {os.fsdecode(k): os.fsdecode(v) for k, v in os.environb.items()}
    env.update(rootfs.image_env(sim))
    env.update(dict(item.split("=", 1) for item in parsed.options.get("env", [])))
    cwd = os.getcwd()
    mounts = [rootfs.Mount(path, path) for path in dict.fromkeys((env.get("HOME", "/root"), "/tmp", cwd)) if os.path.isdir(path)]
    mounts += [rootfs.parse_mount(value) for value in parsed.options.get("volume", [])]
    sim.record("container", runtime="prefix", image=parsed.last("image"), env=env, mounts=[vars(mount) for mount in mounts], options=parsed.options, argv=parsed.words, pid=os.getpid())
    rootfs.own_namespaces(pid=False)
    rootfs.enter(sim, rootfs.Root(mounts=mounts))
    os.chdir(cwd)
    os.environ["PATH"] = env["PATH"]
    try:
        os.execvpe(parsed.words[0], parsed.words, env)
    except OSError as error:
        raise Refused(f"enter-image: {parsed.words[0]}: {error.strerror}", 127) from error
