"""`apptainer` and `singularity`: `exec` in the foreground, with their rules for environment and mounts.

Order of the environment: the host's, then the image's on top, then APPTAINERENV_* and --env; PATH, HOME and
LD_LIBRARY_PATH are never the host's. --env and --bind split at commas (facts of Apptainer 1.4).
"""

import csv
import os
import signal
import sys
from typing import Any

from simlib import devices, first, kernel, rootfs, wire
from simlib.options import Parsed, RefusedError, Table
from simlib.place import Sim

GLOBAL = "d/debug q/quiet s/silent v/verbose nocolor c/config= version h/help"
EXEC = """
add-caps= allow-setuid app= apply-cgroups= B/bind= blkio-weight= blkio-weight-device= e/cleanenv compat c/contain
C/containall cpu-shares= cpus= cpuset-cpus= cpuset-mems= cwd|pwd= disable-cache dns= docker-host= docker-login
drop-caps= env= env-file= f/fakeroot fusemount= H/home= hostname= i/ipc keep-privs memory= memory-reservation=
memory-swap= mount= n/net network= network-args= no-eval no-home no-https no-init no-mount= no-pid no-privs no-tmp-sandbox
no-umask nv nvccli oom-kill-disable o/overlay= passphrase pem-path= p/pid pids-limit= rocm S/scratch= security= sharens
underlay unsquash u/userns uts W/workdir= w/writable writable-tmpfs authfile= ignore-fakeroot-command ignore-subuid
"""
ONLY = {"shell": " s/shell=", "exec": "", "run": ""}
"""What starts a program in an image, and its options beside those of `exec`."""
NEWER = "device= no-env= intel-hpu"
PASSED_WHEN_CLEAN = {"ALL_PROXY", "FTP_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "TERM"}
NEVER_HOST = {"PATH", "HOME", "LD_LIBRARY_PATH"}
PREFIXES = ("SINGULARITYENV_", "APPTAINERENV_")


def _fatal(text: str) -> RefusedError:
    return RefusedError(f"FATAL:   {text}", 255)


def _pairs(values: list[str]) -> dict[str, str]:
    found = {}
    for value in values:
        for item in next(csv.reader([value]), []):
            name, equals, text = item.partition("=")
            if not equals:
                raise RefusedError(
                    f'Error for command "exec": invalid argument {value!r} for "--env" flag: {item} must be formatted as key=value',
                    1,
                )
            found[name] = text
    return found


def _env_file(path: str) -> dict[str, str]:
    """An environment file is shell text to Apptainer."""
    import subprocess

    done = subprocess.run(
        ["/bin/bash", "-c", 'set -a; source "$1"; env -0', "bash", path], capture_output=True, env={}, check=False
    )
    if done.returncode:
        raise _fatal(f"while processing environment file: {done.stderr.decode()}")
    pairs = dict(item.split("=", 1) for item in os.fsdecode(done.stdout).split("\0") if "=" in item)
    return {name: value for name, value in pairs.items() if name not in ("PWD", "SHLVL", "_", "OLDPWD")}


def environment(sim: Sim, command: str, parsed: Parsed, host: dict[str, str]) -> dict[str, str]:
    """The environment inside."""
    clean = parsed.has("cleanenv") or parsed.has("containall")
    injected: dict[str, str] = {}
    for prefix in PREFIXES:
        injected.update({name[len(prefix) :]: value for name, value in host.items() if name.startswith(prefix)})
    if parsed.has("env-file"):
        injected.update(_env_file(parsed.last("env-file") or ""))
    injected.update(_pairs(parsed.options.get("env", [])))
    passed = [name for name in host if not name.startswith(PREFIXES) and name not in NEVER_HOST]
    env = {name: host[name] for name in passed if not clean or name.upper() in PASSED_WHEN_CLEAN}
    env.update(rootfs.image_env(sim))
    if parsed.has("nv"):
        env["PATH"] = f"{sim.root}/gpubin:" + env["PATH"]
    before, after = injected.pop("PREPEND_PATH", ""), injected.pop("APPEND_PATH", "")
    env.update(injected)
    env["PATH"] = ":".join(part for part in (before, env["PATH"], after) if part)
    env.setdefault("HOME", host.get("HOME", "/root"))
    env.setdefault("LD_LIBRARY_PATH", "/.singularity.d/libs")
    env.update(
        APPTAINER_CONTAINER=parsed.words[0],
        SINGULARITY_CONTAINER=parsed.words[0],
        APPTAINER_COMMAND=command,
        APPTAINER_ENVIRONMENT="/.singularity.d/env/91-environment.sh",
        PS1="Apptainer> ",
        PROMPT_COMMAND="",
    )
    return env


def _split_bind(text: str) -> list[str]:
    parts, word, rest = [], "", text
    while rest:
        if rest.startswith(("\\,", "\\:")):
            word, rest = word + rest[:2], rest[2:]
        elif rest[0] == ",":
            parts.append(word)
            word, rest = "", rest[1:]
        else:
            word, rest = word + rest[0], rest[1:]
    return [*parts, word]


def _bind_spec(text: str) -> rootfs.Mount:
    fields = text.replace("\\:", "\0").split(":")
    fields = [field.replace("\0", ":").replace("\\,", ",") for field in fields]
    if len(fields) > 3 or not fields[0]:
        raise _fatal(f"while parsing bind path: invalid bind path specification {text}")
    options = fields[2].split(",") if len(fields) == 3 else []
    for option in options:
        if option not in ("ro", "rw") and not option.startswith(("image-src=", "id=")):
            raise _fatal(f"while parsing bind path: {option} is not a valid bind option")
    return rootfs.Mount(fields[0], fields[1] if len(fields) > 1 and fields[1] else fields[0], "ro" in options)


def _mount_spec(text: str) -> rootfs.Mount:
    values: dict[str, str] = {}
    for item in next(csv.reader([text])):
        name, _, value = item.partition("=")
        values[{"src": "source", "dst": "destination", "target": "destination"}.get(name, name)] = value
    unknown = set(values) - {"type", "source", "destination", "ro", "image-src", "id"}
    if unknown or values.get("type") != "bind" or "source" not in values or "destination" not in values:
        raise _fatal(f"while parsing mount: invalid mount {text!r}")
    return rootfs.Mount(values["source"], values["destination"], "ro" in values)


def mounts(sim: Sim, parsed: Parsed, host: dict[str, str], cwd: str) -> list[rootfs.Mount]:
    """The user's mounts, after home, /tmp and the working directory that Apptainer adds by itself."""
    found = []
    contained = parsed.has("contain") or parsed.has("containall")
    skipped = set(",".join(parsed.options.get("no-mount", [])).split(","))
    home = host.get("HOME", "")
    if not contained and not parsed.has("no-home") and "home" not in skipped and os.path.isdir(home):
        found.append(rootfs.Mount(home, home))
    if not contained and "tmp" not in skipped:
        found.append(rootfs.Mount("/tmp", "/tmp"))
    if not contained and "cwd" not in skipped and cwd.startswith("/var/tmp/") and not cwd.startswith(str(sim.root)):
        found.append(rootfs.Mount(cwd, cwd))
    wanted = [
        item
        for name in ("APPTAINER_BIND", "APPTAINER_BINDPATH", "SINGULARITY_BIND", "SINGULARITY_BINDPATH")
        for item in host.get(name, "").split(",")
        if item
    ]
    wanted += [item for value in parsed.options.get("bind", []) for item in _split_bind(value)]
    found += [_bind_spec(item) for item in wanted] + [_mount_spec(item) for item in parsed.options.get("mount", [])]
    for mount in found:
        if not os.path.exists(mount.source):
            raise _fatal(
                f"container creation failed: mount hook function failure: mount {mount.source}->{mount.target} error: while mounting {mount.source}: mount source {mount.source} doesn't exist"
            )
        if not mount.target.startswith("/"):
            raise _fatal(f"bind destination {mount.target} must be an absolute path")
    return found


def _inside(sim: Sim, parsed: Parsed, argv: list[str], env: dict[str, str], wanted: rootfs.Root, cwd: str) -> None:
    try:
        rootfs.enter(sim, wanted)
        folder = parsed.last("cwd")
        if folder is not None:
            rootfs.change_folder(folder)
        elif os.path.isdir(cwd):
            os.chdir(cwd)
        elif os.path.isdir(env["HOME"]):
            os.chdir(env["HOME"])
        os.environ["PATH"] = env["PATH"]
        if wanted.own_proc and not parsed.has("no-init"):
            first.run_below(lambda: _program(argv, env))
        _program(argv, env)
    except RefusedError as error:
        print(error, file=sys.stderr)
    sys.stderr.flush()
    os._exit(255)


def _program(argv: list[str], env: dict[str, str]) -> None:
    try:
        os.execvpe(argv[0], argv, env)
    except FileNotFoundError:
        print(f'FATAL:   "{argv[0]}": executable file not found in $PATH', file=sys.stderr)
    sys.stderr.flush()
    os._exit(255)


def _started(sim: Sim, command: str, parsed: Parsed) -> list[str]:
    """What runs inside; the runscript of an image from a registry is its entrypoint with those words or its own.

    The former is written by `insertRunScript` of Apptainer's OCIConveyorPacker, the latter stands in its
    `internal/pkg/util/fs/files/action_script.sh`.
    """
    words, image = parsed.words[1:], sim.config["image"]
    if command == "run":
        return [*image.get("entrypoint", []), *(words or image.get("command", ["bash"]))]
    shell = parsed.last("shell")
    return [*([shell] if shell else ["/bin/bash", "--norc"]), *words] if command == "shell" else words


def main(root: str) -> int:
    """`apptainer exec …`, `run`, `shell` and `--version`."""
    sim = Sim(root)
    program = os.path.basename(sys.argv[0])
    version = sim.config["image"].get("apptainer", "1.4.5")
    top = Table(program, GLOBAL).parse(sys.argv[1:])
    if top.has("version") or top.words[:1] == ["version"]:
        print(f"{program} version {version}" if top.has("version") else version)
        return 0
    command = "".join(top.words[:1])
    if command not in ONLY:
        raise RefusedError(f'Error: unknown command "{command}" for "{program}"', 1)
    newer = NEWER if tuple(int(part) for part in version.split(".")[:2]) >= (1, 5) else ""
    parsed = Table(program, EXEC + newer + ONLY[command]).parse(top.words[1:])
    least = 2 if command == "exec" else 1
    if len(parsed.words) < least:
        raise RefusedError(f"Error: requires at least {least} arg(s)", 1)
    argv = _started(sim, command, parsed)
    try:
        rootfs.check_image(sim, parsed.words[0])
    except RefusedError as error:
        raise _fatal(str(error)) from error
    host = {os.fsdecode(k): os.fsdecode(v) for k, v in os.environb.items()}
    cwd = os.getcwd()
    env = environment(sim, command, parsed, host)
    contained = parsed.has("contain") or parsed.has("containall")
    dev: list[str] | None = None
    if contained:
        dev = (
            devices.gpu_devices(sim.config["vendor"], devices.present(sim.config["vendor"]))
            if parsed.has("nv") or parsed.has("rocm")
            else []
        )
    wanted = rootfs.Root(
        mounts=mounts(sim, parsed, host, cwd),
        own_proc=parsed.has("pid") or parsed.has("containall"),
        dev=dev,
        writable=parsed.has("writable-tmpfs") or parsed.has("writable") or parsed.has("overlay"),
    )
    sim.record(
        "container",
        runtime=program,
        image=parsed.words[0],
        mounts=[mount._asdict() for mount in wanted.mounts],
        env=env,
        options=parsed.options,
        argv=argv,
        pid=os.getpid(),
    )
    return _foreground(lambda: _inside(sim, parsed, argv, env, wanted, cwd), own_pid=wanted.own_proc)


def _foreground(work: Any, *, own_pid: bool) -> int:
    """Run the container's process as a child that dies with this one; pass signals on, end with its status."""
    rootfs.own_namespaces(pid=own_pid)
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() not in (parent, 0):
            os._exit(255)
        work()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGQUIT):
        signal.signal(number, lambda received, _frame: kernel.signal_all([child], received))
    while True:
        try:
            return wire.exit_status(os.waitpid(child, 0)[1])
        except InterruptedError:
            continue
