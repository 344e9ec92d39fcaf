"""What `ray start` refuses before it starts anything."""

import json
import os
import socket

from simlib import ray_net
from simlib.options import Parsed, RefusedError, Table
from simlib.place import Sim

OPTIONS = """
node-ip-address= address= port= object-manager-port= node-manager-port= min-worker-port= max-worker-port=
worker-port-list= ray-client-server-port= object-store-memory= num-cpus= num-gpus= resources= head include-dashboard=
dashboard-host= dashboard-port= dashboard-agent-listen-port= dashboard-agent-grpc-port= runtime-env-agent-port= block
plasma-directory= object-spilling-directory= autoscaling-config= no-redirect-output temp-dir= metrics-export-port=
ray-debugger-external disable-usage-stats include-log-monitor= log-style= log-color= v/verbose help node-name=
labels= tracing-startup-hook= no-monitor system-config= redis-password= redis-username= redis-shard-ports=
"""
ADDED = {(2, 50): "labels-file= enable-resource-isolation system-reserved-cpu= system-reserved-memory="}


def table(version: tuple[int, ...]) -> Table:
    """The option table of `ray start` in a release."""
    newer = " ".join(text for since, text in ADDED.items() if version >= since)
    return Table("ray start", f"{OPTIONS} {newer}", posix=False)


def truth(text: str | None, name: str) -> bool:
    """A boolean as click reads it."""
    words = {
        "1": True,
        "t": True,
        "true": True,
        "y": True,
        "yes": True,
        "on": True,
        "0": False,
        "f": False,
        "false": False,
        "n": False,
        "no": False,
        "off": False,
    }
    if text is None:
        return True
    if text.lower() not in words:
        raise RefusedError(f"Error: Invalid value for '--{name}': '{text}' is not a valid boolean.", 2)
    return words[text.lower()]


def number(parsed: Parsed, name: str, default: int) -> int:
    """An integer option."""
    text = parsed.last(name)
    if text is None:
        return default
    if not text.isdecimal():
        raise RefusedError(f"Error: Invalid value for '--{name}': '{text}' is not a valid integer.", 2)
    return int(text)


def resources(parsed: Parsed) -> dict[str, float]:
    """What `--resources` adds: a map of names to numbers (`parse_resources_json` in Ray's cli_utils.py)."""
    text = parsed.last("resources", "{}") or ""
    try:
        found = json.loads(text)
        return {str(name): float(value) for name, value in found.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise RefusedError(
            f"Error: `--resources` is not a valid JSON string: {text}\nValid values look like this: "
            """`--resources='{"CustomResource3": 1, "CustomResource2": 2}'`"""
        ) from error


def own_address(parsed: Parsed, address: str | None, version: tuple[int, ...]) -> str:
    """The node's address: one it really has, or the one Ray would find."""
    given = parsed.last("node-ip-address")
    if given is not None:
        if "[" in given or not given:
            raise RefusedError(f"node IP address {given!r} has brackets or is empty (the real head hangs)")
        family = socket.AF_INET6 if ":" in given else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            try:
                probe.bind((given, 0))
            except OSError as error:
                raise RefusedError(
                    f"ray.exceptions.RpcError: {given} is not an address of this node: {error.strerror}"
                ) from error
        return given
    target = ray_net.split_address(address)[0] if address else "8.8.8.8"
    try:
        family, kind, proto, _name, place = socket.getaddrinfo(target, 1, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind, proto) as probe:
            probe.connect(place)
            own = str(probe.getsockname()[0])
    except OSError:
        own = "127.0.0.1"
    return "127.0.0.1" if ":" in own and version < (2, 52) else own


def check_client(sim: Sim, parsed: Parsed) -> None:
    """A Ray whose client's packages are missing refuses the client's port."""
    if parsed.has("ray-client-server-port") and not sim.config["ray"]["client"]:
        raise RefusedError("ValueError: Ray Client requires pip package `ray[client]`.")


def check_gpus(sim: Sim, wanted: int, version: tuple[int, ...]) -> None:
    """Masks that Ray refuses."""
    if sim.config["vendor"] == "rocm" and version >= (2, 45) and "ROCR_VISIBLE_DEVICES" in os.environ and wanted:
        raise RefusedError("ValueError: Please use HIP_VISIBLE_DEVICES instead of ROCR_VISIBLE_DEVICES")
    name = (
        "CUDA_VISIBLE_DEVICES"
        if sim.config["vendor"] == "cuda"
        else "HIP_VISIBLE_DEVICES"
        if version >= (2, 45)
        else "ROCR_VISIBLE_DEVICES"
    )
    value = os.environ.get(name)
    if value is not None:
        ids = [] if value in ("", "NoDevFiles", "-1") else value.split(",")
        if wanted > len(ids):
            raise RefusedError(f"ValueError: Attempting to start raylet with {wanted} GPU, but {name} contains {ids}.")


def check_store(size: int, free: int) -> None:
    """An object store larger than what is free in /dev/shm is refused."""
    if size > free and "RAY_OBJECT_STORE_ALLOW_SLOW_STORAGE" not in os.environ:
        raise RefusedError(f"ValueError: The configured object store size ({size}) exceeds /dev/shm size ({free}).")
