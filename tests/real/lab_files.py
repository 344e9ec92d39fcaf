"""The files of a lab: what Slurm, munge and the nodes' networks are configured with."""

import io
import json
import os
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path

HERE = Path(__file__).resolve().parent
LAB = "/srv/lab"
HOME = f"{LAB}/home"
LOGIN_HOST = 0xFF00  # the login node's host part, above every node's
# These addresses exist only in the namespaces that a lab makes.
DATA = "10.78.0.0/16"
# The kernel refuses more neighbours than net.ipv4.neigh.default.gc_thresh3 says for all of the machine's namespaces
# together (1,024 by default). It does not count those that are given to it; a lab of fewer nodes learns its own.
MANY_NODES = 100
NETWORKS = {"ipv4": ip_network("10.77.0.0/16"), "ipv6": ip_network("fd77::/64")}
USERS = {"alice": 61001, "bob": 61002}
# The Debian suites whose Slurm is run, by generation.
SUITES = {"20.11": "bullseye", "22.05": "bookworm", "24.11": "trixie", "26.05": "sid"}
# Rootless Podman without cgroups, with a store of its own on each node and the lab's image below it.
CONTAINERS_CONF = """[containers]
cgroups = "disabled"
netns = "host"
pids_limit = 0
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "none"
runtime = "crun"
"""
# For each user: what stands in /etc is only half read without root.
STORAGE_CONF = f"""[storage]
driver = "overlay"
graphroot = "/local/podman-{{name}}"
runroot = "/local/podman-run-{{name}}"
[storage.options]
additionalimagestores = ["{LAB}/podman"]
"""
# In a container with NVIDIA's devices: one line for each that it was given.
NVIDIA_SMI = """#!/bin/bash
IFS=, read -ra given <<<"${NVIDIA_VISIBLE_DEVICES:-$(printf '%s,' /dev/nvidia[0-9]*)}"
printf 'GPU %s: fake (UUID: GPU-0)\\n' "${given[@]}"
"""
SUBORDINATE = "".join(f"{name}:{number * 10000}:65536\n" for name, number in USERS.items())
# Partitions that the examples name.
PARTITIONS = ("main", "gpu", "h20", "your-partition")
# Nodes that an example leaves out.
ELSEWHERE = "gpu[07-09]"


@dataclass(frozen=True, slots=True)
class Shape:
    """What a lab looks like.

    Attributes:
        nodes: How many nodes it has.
        net: `ipv4`, `ipv6` or `dual`.
        gpus: Fake GPUs of each node.
        gpu_type: What Slurm calls them.
        slurm: Generation of Slurm.
        engine: `docker` or `podman` where the nodes have one.
        own_name: What each node takes its own name for; nothing for its address.
        data_network: Whether the nodes have a second network, which no name belongs to.
        cgroup: Whether Slurm tracks processes by cgroup, as on most sites, which decides whom it signals.
    """

    nodes: int = 2
    net: str = "ipv4"
    gpus: int = 8
    gpu_type: str = "h100"
    slurm: str = "22.05"
    engine: str = ""
    own_name: str = ""
    data_network: bool = False
    cgroup: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The nodes' host names."""
        return tuple(f"node{index}" for index in range(1, self.nodes + 1))

    @property
    def patience(self) -> float:
        """Seconds in which a lab of this size has started."""
        return 60 + self.nodes

    def addresses(self, index: int) -> list[str]:
        """Addresses of the host with that number, IPv4 first."""
        return [str(net[index]) for family, net in NETWORKS.items() if self.net in {family, "dual"}]


def _slurm_conf(shape: Shape) -> str:
    """slurm.conf of a cluster without cgroups, database or systemd, on nodes that claim more than this machine has."""
    family = {
        "ipv4": "",
        "ipv6": "CommunicationParameters=EnableIPv6,DisableIPv4",
        "dual": "CommunicationParameters=EnableIPv6",
    }
    names = f"node[1-{shape.nodes}]" if shape.nodes > 1 else "node1"
    gres = f" Gres=gpu:{shape.gpu_type}:{shape.gpus}" if shape.gpus else ""
    partitions = [
        f"PartitionName={name} Nodes={names} Default={'YES' if name == 'main' else 'NO'} MaxTime=INFINITE State=UP"
        for name in PARTITIONS
    ]
    return "\n".join(
        [
            "ClusterName=lab",
            "SlurmctldHost=login",
            "SlurmUser=root",
            "AuthType=auth/munge",
            "AuthInfo=cred_expire=15",  # a requeued job waits until old credentials have expired
            f"StateSaveLocation={LAB}/slurmctld",
            f"SlurmdSpoolDir={LAB}/nodes/%n/spool",
            f"SlurmctldPidFile={LAB}/slurmctld.pid",
            f"SlurmdPidFile={LAB}/nodes/%n/slurmd.pid",
            f"SlurmctldLogFile={LAB}/log/slurmctld.log",
            f"SlurmdLogFile={LAB}/log/slurmd-%n.log",
            f"ProctrackType=proctrack/{'cgroup' if shape.cgroup else 'linuxproc'}",
            "TaskPlugin=task/none",
            "JobAcctGatherType=jobacct_gather/none",
            "AccountingStorageType=accounting_storage/none",
            "SelectType=select/cons_tres",
            "SelectTypeParameters=CR_CPU_Memory",
            "GresTypes=gpu",
            "MpiDefault=none",
            "SlurmdParameters=config_overrides",
            "SchedulerType=sched/builtin",
            "SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000,sched_interval=2",
            "ReturnToService=2",
            "KillWait=30",
            "MinJobAge=3600",  # `scontrol show job` tells how a job ended
            "SlurmdTimeout=60",
            "MessageTimeout=60",
            family[shape.net],
            "Licenses=lustre:8",
            "AllowSpecResourcesUsage=YES",
            f"NodeName={names} Sockets=2 CoresPerSocket=128 RealMemory=4000000 TmpDisk=200000 Feature=h100,nvme{gres}",
            f"NodeName={ELSEWHERE} State=FUTURE",
            *partitions,
            "",
        ]
    )


def _gres_conf(shape: Shape) -> str:
    last = f"[0-{shape.gpus - 1}]" if shape.gpus > 1 else "0"
    devices = f"Name=gpu Type={shape.gpu_type} File=/dev/nvidia{last}\n" if shape.gpus else ""
    return f"AutoDetect=off\n{devices}"


def _hosts(shape: Shape, own: str = "") -> str:
    """/etc/hosts of a node, or of the login node."""
    lines = ["127.0.0.1 localhost", "::1 localhost ip6-localhost ip6-loopback"]
    for name, index in [("login", LOGIN_HOST), *((name, index) for index, name in enumerate(shape.names, 1))]:
        own_line = [shape.own_name] if name == own and shape.own_name else shape.addresses(index)
        # An example takes the name with this end for that of another network's address.
        lines += [f"{address} {name} {name}i" for address in own_line]
    return "\n".join(lines) + "\n"


def _link_address(index: int) -> str:
    """The Ethernet address of the host with that number; lab-init.sh gives nodes the same."""
    return f"02:77:00:00:{index >> 8:02x}:{index & 255:02x}"


def _neighbours(shape: Shape, index: int, device: str) -> list[str]:
    """Lines for `ip -batch` that tell a host all others."""
    if shape.nodes < MANY_NODES:
        return []
    others = (other for other in (LOGIN_HOST, *range(1, shape.nodes + 1)) if other != index)
    return [
        f"neigh add {address} lladdr {_link_address(other)} nud permanent dev {device}"
        for other in others
        for address in shape.addresses(other)
    ]


def _ip_batch(shape: Shape, index: int, device: str) -> list[str]:
    """Lines for `ip -batch` that give a link the addresses of a host."""
    lines = ["link set lo up", f"link set {device} up", *_neighbours(shape, index, device)]
    for address in shape.addresses(index):
        bits, flags = (64, "nodad") if ":" in address else (16, "brd +")
        lines.append(f"addr add {address}/{bits} {flags} dev {device}")
    return lines


def _node_batch(shape: Shape, index: int) -> str:
    routes = [
        f"route add {'::/0' if ':' in login else '0.0.0.0/0'} via {login}" for login in shape.addresses(LOGIN_HOST)
    ]
    data = [f"addr add {ip_network(DATA)[index]}/16 brd + dev eth1", "link set eth1 up"] if shape.data_network else []
    return "\n".join([*_ip_batch(shape, index, "eth0"), *data, *routes, ""])


def _login_batch(shape: Shape) -> str:
    refused = [f"route add unreachable {'::/0' if ':' in address else '0.0.0.0/0'}" for address in shape.addresses(1)]
    bridge = [f"link add br0 address {_link_address(LOGIN_HOST)} type bridge forward_delay 0 mcast_snooping 0"]
    return "\n".join([*bridge, *_ip_batch(shape, LOGIN_HOST, "br0"), *refused, ""])


def _installed(roots: Sequence[Path], path: str) -> str:
    """The text of a file of the lab's root."""
    return next(root / path for root in roots if (root / path).exists()).read_text()


def _cdi(shape: Shape) -> str:
    """What Podman knows about the GPUs (Container Device Interface, `nvidia.com/gpu=0` and so on)."""
    devices = [
        {"name": name, "containerEdits": {"deviceNodes": [{"path": f"/dev/nvidia{name}"}]}}
        for name in map(str, range(shape.gpus))
    ]
    return json.dumps({"cdiVersion": "0.5.0", "kind": "nvidia.com/gpu", "devices": devices})


def _accounts(text: str, line: str) -> str:
    """A file of accounts with the lab's users in it."""
    return text + "".join(line.format(name=name, id=number) for name, number in USERS.items())


def texts(shape: Shape, roots: Sequence[Path]) -> dict[str, str]:
    """All text files by their path below the lab's folder."""
    files = {
        "names": "".join(f"{name}\n" for name in shape.names),
        "ip.batch": _login_batch(shape),
        "etc/slurm/slurm.conf": _slurm_conf(shape),
        "etc/slurm/gres.conf": _gres_conf(shape),
        # slurmd looks for a cgroup plugin even where nothing uses one, and an empty file stops it. Before 22.05 there
        # is no such option; from 23.02 there is a plugin that does nothing.
        "etc/slurm/cgroup.conf": {"20.11": "ConstrainCores=no\n", "22.05": "CgroupPlugin=cgroup/v1\n"}.get(
            shape.slurm, f"CgroupPlugin={'cgroup/v1' if shape.cgroup else 'disabled'}\n"
        ),
        "etc/hosts": _hosts(shape),
        "etc/passwd": _accounts(_installed(roots, "etc/passwd"), "{name}:x:{id}:{id}::" + HOME + "/{name}:/bin/bash\n"),
        "etc/group": _accounts(_installed(roots, "etc/group"), "{name}:x:{id}:\n")
        + f"docker:x:61000:{','.join(USERS)}\n",
        "etc/subuid": SUBORDINATE,
        "etc/subgid": SUBORDINATE,
        "etc/containers/containers.conf": CONTAINERS_CONF,
        "etc/cdi/nvidia.json": _cdi(shape),
        "etc/resolv.conf": "",
        "node-init.sh": (HERE / "lab" / "node-init.sh").read_text(),
        "lab-init.sh": (HERE / "lab" / "lab-init.sh").read_text(),
        "bin/nvidia-smi": NVIDIA_SMI,
        "driver.py": (HERE / "driver.py").read_text(),
    }
    for index, name in enumerate(shape.names, 1):
        files |= {
            f"nodes/{name}/index": str(index),
            f"nodes/{name}/hosts": _hosts(shape, name),
            f"nodes/{name}/hostname": f"{name}\n",
            f"nodes/{name}/ip.batch": _node_batch(shape, index),
        }
    return files


def archive(shape: Shape, roots: Sequence[Path]) -> bytes:
    """The lab's folder as a tar stream, with owners and modes."""
    passwd = [line.split(":") for line in _installed(roots, "etc/passwd").splitlines()]
    munge = next((int(fields[2]), int(fields[3])) for fields in passwd if fields[0] == "munge")
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:

        def add(name: str, data: bytes | None, mode: int, owner: int = 0, group: int = 0) -> None:
            entry = tarfile.TarInfo(name)
            entry.mode, entry.uid, entry.gid = mode, owner, group
            if data is None:
                entry.type = tarfile.DIRTYPE
            else:
                entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data or b""))

        for folder in ("log", "slurmctld", "ray", "home"):
            add(folder, None, 0o755)
        for name in shape.names:
            add(f"nodes/{name}/spool", None, 0o755)
        for user, number in USERS.items():
            for folder in ("", "/.config", "/.config/containers"):
                add(f"home/{user}{folder}", None, 0o700, number, number)
            storage = STORAGE_CONF.format(name=user).encode()
            add(f"home/{user}/.config/containers/storage.conf", storage, 0o600, number, number)
        add("munge", None, 0o700, *munge)
        add("etc/munge", None, 0o700, *munge)
        add("etc/munge/munge.key", os.urandom(128), 0o400, *munge)
        for path, text in texts(shape, roots).items():
            add(path, text.encode(), 0o644)
    return out.getvalue()
