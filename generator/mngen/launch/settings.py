"""The ``readonly`` lines at the top of a launch script: what the manifest fixes, as literals."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from mngen.launch import image_checks, ray_options
from mngen.launch.contract import image_digest
from mngen.launch.engines import amd_mask
from mngen.launch.job import options
from mngen.launch.layout import wrap
from mngen.launch.model import Setting
from mngen.launch.names import late
from mngen.launch.patience import ready_timeout
from mngen.launch.sizes import to_kib
from mngen.launch.words import quote, word
from mngen.manifest.fabrics import fabric
from mngen.manifest.model import Target, Variant
from mngen.plan import Raw

_SHORT = 12
"""Characters of a setting that need not stand alone."""

_VERSIONS = {"auto": "(4 6)", "ipv4": "(4)", "ipv6": "(6)"}


def _address(target: Target, *, chooses: bool) -> list[Setting]:
    """How addresses are chosen; ``chooses`` on the node that chooses the head's."""
    network = target.network
    filtered = network.interface or network.cidr
    out = [Setting("IP_VERSIONS", Raw(_VERSIONS[network.family]))] if chooses or not filtered else []
    if network.interface:
        out.append(Setting("ADDRESS_FILTER", Raw(f"(dev {quote(network.interface)})")))
    elif network.cidr:
        out.append(Setting("ADDRESS_FILTER", Raw(f"(to {quote(network.cidr)})")))
    elif network.host_suffix and chooses:
        out.append(Setting("HOST_SUFFIX", quote(network.host_suffix)))
    return out


def common(target: Target, *, chooses_head: bool, own_address: bool) -> list[Setting]:
    """Settings that launch scripts of every kind share.

    ``chooses_head`` when the script chooses the head's address, ``own_address`` when it looks for the
    node's own on the interface or network that the manifest names.
    """
    resources = target.resources
    out = [Setting("NODES", Raw(str(resources.nodes)))]
    if resources.gpus:
        out.append(Setting("GPUS", Raw(str(resources.gpus))))
    if shm := ray_options.shared_memory(target):
        out.append(Setting("SHM_KIB", Raw(str(to_kib(shm)))))
    out.append(Setting("READY_TIMEOUT", Raw(str(ready_timeout(target)))))
    if chooses_head or own_address:
        out += _address(target, chooses=chooses_head)
    row = fabric(target.network.fabric)
    if row and row.link_layer:
        out.append(Setting("LINK_LAYER", quote(row.link_layer)))
    if target.ray.version:
        out.append(Setting("RAY_VERSION", quote(target.ray.version)))
    digest = image_digest(target)
    if digest:
        out += [Setting("IMAGE_DIGEST", quote(digest)), *image_checks.settings(target)]
    out.append(Setting("RAY_PYTHON", Raw(f"({ray_options.python(target)})")))
    if target.ray.unset_env_prefixes:
        prefixes = " ".join(quote(p) for p in target.ray.unset_env_prefixes)
        out.append(Setting("UNSET_PREFIXES", Raw(f"({prefixes})")))
    if any(service.gpus for service in target.services):
        mask = "CUDA_VISIBLE_DEVICES" if target.variant is Variant.CUDA else amd_mask(target)
        out.append(Setting("GPU_MASK", Raw(mask)))
    if target.driver.submit == "ray-job" and target.driver.submit_from == "head":
        out.append(Setting("JOB_NAME", quote(target.workload)))
        out.append(Setting("RAY", Raw(f"({ray_options.command(target)})")))
        out.append(Setting("JOB_OPTIONS", Raw(f"({' '.join(options(target))})")))
    return out


def lines(settings: Iterable[Setting]) -> tuple[Raw, ...]:
    """The ``readonly`` lines of settings; short ones that follow each other share one."""
    out: list[Raw] = []
    for short, group in groupby(settings, key=lambda setting: len(setting.value) <= _SHORT):
        pairs = [f"{setting.name}={setting.value}" for setting in group]
        out += [Raw(f"readonly {line}") for line in (wrap(pairs, indent=9) if short else pairs)]
    return tuple(out)


REASONS = Setting(
    "REASONS",
    Raw(
        "([75]='the cluster did not form' [76]='a part died' [77]='a node failed its check'\n"
        "  [78]='a secret, setting or step is at fault' [143]=cancelled)"
    ),
)
"""Why a job ends without its driver's status, by its exit status; bash takes numbers as an array's indices."""


def secrets(target: Target) -> list[Setting]:
    """Names of the secrets that must be set in the submitting shell."""
    names = [quote(s.name) for s in target.secrets if s.required and s.file is None]
    return [Setting("SECRETS", Raw(f"({' '.join(names)})"))] if names else []


def environment(target: Target, *, contained: bool) -> tuple[tuple[Raw, Raw], ...]:
    """The manifest's variables as ``export`` lines."""
    variable = late(target, contained=contained)
    return tuple((Raw(name), word(value, variable)) for name, value in target.env)


_PROXIES = frozenset({"http_proxy", "https_proxy", "all_proxy"})


def uses_proxy(target: Target) -> bool:
    """Whether calls between nodes must be kept off a proxy: the manifest says that there is one, or sets it."""
    return target.network.proxy or any(name.lower() in _PROXIES for name, _ in target.env)


def past_proxy(target: Target) -> list[str]:
    """The line that keeps calls to this cluster off a proxy, if it needs one.

    A service is called over HTTP, and a site sets its proxy in a profile or a module, without a word in the manifest.
    Python's clients would ask that for 127.0.0.1 too, and of the two names it is the small one that they read
    (https://docs.python.org/3/library/urllib.request.html, ``getproxies``).
    """
    if uses_proxy(target):
        return ["bypass_proxy"]
    if not any(service.has_port for service in target.services):
        return []
    hosts = "localhost,127.0.0.1,::1,${HEAD_IP},${NODE_IP},${no_proxy:-${NO_PROXY-}}"
    return [f'export no_proxy="{hosts}" # a proxy knows no service']


def unset(target: Target) -> Raw | None:
    """Words of one ``unset``: names, and all names that begin with a prefix.

    Slurm's mask of AMD GPUs says which are the job's. ``check_gpus`` reads it and then unsets it; unset before, the
    job would take what else is on the node.
    """
    kept = {"ROCR_VISIBLE_DEVICES"} if target.variant is Variant.ROCM and target.resources.gpus else set()
    words = [f'"${{!{name[:-1]}@}}"' if name.endswith("*") else name for name in target.unset_env if name not in kept]
    return Raw(" ".join(words)) if words else None


_FLAGS = {"nofile": "n", "nproc": "u", "memlock": "l", "stack": "s", "core": "c"}


def limits(target: Target) -> tuple[tuple[Raw, Raw], ...]:
    """Limits with the flag of bash's ``ulimit``; memlock and stack are in KiB there."""
    wanted = dict(target.ulimits)
    row = fabric(target.network.fabric)
    if row and row.memlock and not target.runtime.is_engine:  # these set it themselves
        wanted.setdefault("memlock", "unlimited")
    return tuple((Raw(_FLAGS[name]), Raw(value)) for name, value in wanted.items())
