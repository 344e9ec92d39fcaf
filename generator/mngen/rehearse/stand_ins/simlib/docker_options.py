"""Options of `docker run` and `podman run`: the strict table, and what each value means."""

import csv
import os
from pathlib import Path

from simlib import devices, rootfs
from simlib.options import Parsed, RefusedError
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
KNOWN_UNITS = {"b": 1, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}


def gpus(sim: Sim, parsed: Parsed) -> tuple[list[str], dict[str, str]]:
    """Device files and variables for `--gpus`; commas split unless quoted inside, as in docker's CSV."""
    present = devices.present(sim.config["vendor"])
    chosen: list[int] | None = None
    for value in parsed.options.get("gpus", []):
        if sim.config["vendor"] != "cuda":
            raise RefusedError(
                'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].', 125
            )
        ids: list[str] = []
        count = None
        for item in next(csv.reader([value])):
            name, equals, text = item.partition("=")
            if name == "device" and equals:
                ids = text.split(",")
            elif item == "all" or item.isdecimal():
                count = len(present) if item == "all" else int(item)
            elif name not in ("driver", "capabilities", "count", "options"):
                raise RefusedError(f'invalid argument {value!r} for "--gpus" flag: unexpected key {name!r}', 125)
        if ids and count is not None:
            raise RefusedError(
                "docker: Error response from daemon: cannot set both Count and DeviceIDs on device request.", 125
            )
        chosen = [int(item) for item in ids] if ids else present[:count]
        if any(number not in present for number in chosen):
            raise RefusedError(
                "docker: Error response from daemon: nvidia-container-cli: device error: unknown device", 125
            )
    if chosen is None:
        return [], {}
    return devices.gpu_devices("cuda", chosen), {"NVIDIA_VISIBLE_DEVICES": ",".join(str(number) for number in chosen)}


def device_files(parsed: Parsed, vendor: str) -> list[str]:
    """Device files of `--device`, a CDI name or `--privileged`."""
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
            raise RefusedError(
                f'docker: Error response from daemon: error gathering device information while adding custom device "{name}": no such file or directory',
                125,
            )
    if parsed.has("privileged"):
        found += [
            os.path.join(folder, item)
            for folder, _, files in os.walk("/dev")
            for item in files
            if not folder.startswith(("/dev/shm", "/dev/pts"))
        ]
    return [name for name in dict.fromkeys(found) if os.path.basename(name) not in devices.STANDARD]


def mounts(parsed: Parsed) -> list[rootfs.Mount]:
    """`--volume` and `--mount`."""
    found = []
    for value in parsed.options.get("volume", []):
        mount = rootfs.parse_mount(value)
        if not mount.target.startswith("/") or not mount.source.startswith("/"):
            raise RefusedError(
                f'docker: Error response from daemon: create {mount.source}: "{mount.source}" includes invalid characters for a local volume name',
                125,
            )
        if not os.path.isfile(mount.source):
            os.makedirs(mount.source, exist_ok=True)  # docker makes a missing folder, as root
        found.append(mount)
    for value in parsed.options.get("mount", []):
        fields = dict(item.partition("=")[::2] for item in next(csv.reader([value])))
        source, target = (
            fields.get("source", fields.get("src", "")),
            fields.get("target", fields.get("dst", fields.get("destination", ""))),
        )
        if set(fields) - {
            "type",
            "source",
            "src",
            "target",
            "dst",
            "destination",
            "readonly",
            "ro",
            "bind-propagation",
        }:
            raise RefusedError(f'invalid argument {value!r} for "--mount" flag: unexpected key', 125)
        if fields.get("type") != "bind" or not target.startswith("/"):
            raise RefusedError(f'invalid argument {value!r} for "--mount" flag', 125)
        if not os.path.exists(source):
            raise RefusedError(
                f'docker: Error response from daemon: invalid mount config for type "bind": bind source path does not exist: {source}',
                125,
            )
        found.append(
            rootfs.Mount(source, target, fields.get("readonly", fields.get("ro", "false")) in ("", "true", "1"))
        )
    return found


def environment(sim: Sim, parsed: Parsed, more: dict[str, str]) -> dict[str, str]:
    """The image\'s variables, then the client\'s by `--env-file` and `--env`."""
    env = {**rootfs.image_env(sim), "HOSTNAME": parsed.last("hostname") or sim.here, "HOME": "/root"}
    if parsed.has("tty"):
        env["TERM"] = "xterm"
    items = [
        line
        for path in parsed.options.get("env-file", [])
        for line in Path(path).read_text().splitlines()
        if line and not line.startswith("#")
    ]
    for item in items + parsed.options.get("env", []):
        name, equals, value = item.partition("=")
        if equals:
            env[name] = value
        elif os.environ.get(name) is not None:
            env[name] = os.fsdecode(os.environb[os.fsencode(name)])
    env.update(more)
    return sim.local(env)


def check_ulimits(parsed: Parsed) -> None:
    """Refuse what docker's own parser refuses."""
    for value in parsed.options.get("ulimit", []):
        name, _, limit = value.partition("=")
        numbers = limit.split(":")
        if name not in (
            "core",
            "cpu",
            "data",
            "fsize",
            "locks",
            "memlock",
            "msgqueue",
            "nice",
            "nofile",
            "nproc",
            "rss",
            "rtprio",
            "rttime",
            "sigpending",
            "stack",
        ) or not all(number.lstrip("-").isdecimal() for number in numbers):
            raise RefusedError(f'invalid argument {value!r} for "--ulimit" flag: invalid ulimit argument', 125)


def shm(parsed: Parsed) -> str:
    """Bytes of /dev/shm; nothing for the node's own."""
    if parsed.last("ipc") == "host":
        return ""
    text = (parsed.last("shm-size") or "64m").lower().removesuffix("b")
    number, unit = (text[:-1], text[-1]) if text[-1] in KNOWN_UNITS else (text, "b")
    if not number.replace(".", "", 1).isdecimal():
        raise RefusedError(f'invalid argument {text!r} for "--shm-size" flag: invalid size', 125)
    return str(int(float(number) * KNOWN_UNITS[unit]))
