"""``docs/capabilities.md``, written from the capability table."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.manifest.capabilities import Capability, gpus, rows, subjects, toolkit
from mngen.manifest.fabrics import FABRICS, Fabric

_TITLES = {
    "slurm": "Slurm",
    "ray": "Ray",
    "apptainer": "Apptainer",
    "pyxis": "pyxis and enroot",
    "docker": "Docker",
    "podman": "podman",
    "skypilot": "SkyPilot",
    "dstack": "dstack",
}
_VENDORS = {"nvidia": ("NVIDIA GPUs", "CUDA"), "amd": ("AMD GPUs", "ROCm")}
_HEAD = """# Capabilities

What mngen knows of the systems below it, by version. Rules ask this table, so that a manifest which cannot work is
refused before it is queued. A row with status *run* was tried, *source* was read in the source or the manual; both may
refuse. A row that is *announced* only warns.

This page is written from `generator/mngen/manifest/capabilities.json` and `fabrics.py` beside it; change the data,
then run `make docs`.
"""


def page() -> str:
    """Return the whole page as Markdown."""
    return (
        "\n".join([_HEAD, *_covered(), *(line for title in _TITLES for line in _section(title)), *_gpus(), *_fabrics()])
        + "\n"
    )


def _covered() -> Iterator[str]:
    yield "| system | versions covered |"
    yield "| --- | --- |"
    for name, versions in subjects().items():
        yield f"| {_TITLES[name]} | {versions} |"
    yield ""


def _section(subject: str) -> Iterator[str]:
    yield f"## {_TITLES[subject]}"
    yield ""
    yield "| versions | what holds | status | seen | source |"
    yield "| --- | --- | --- | --- | --- |"
    for row in rows().values():
        if row.subject == subject:
            yield _line(row)
    yield ""


def _line(row: Capability) -> str:
    text = row.holds.replace("|", "\\|")
    return f"| {row.versions} | {text} | {row.status} | {row.seen} | <{row.source}> |"


def _gpus() -> Iterator[str]:
    for vendor, (title, name) in _VENDORS.items():
        yield f"## {title}"
        yield ""
        yield f"| architecture | {name} | `gpu_type` | status | source |"
        yield "| --- | --- | --- | --- | --- |"
        models: dict[str, list[str]] = {}
        for model in gpus().values():
            if model.vendor == vendor:
                models.setdefault(model.arch, []).append(f"`{model.name}`")
        for row in rows().values():
            if row.vendor == vendor and row.arch is not None and toolkit(vendor, row.arch) is row:
                names = ", ".join(models.get(row.arch, []))
                yield f"| {row.arch} | {row.versions} | {names} | {row.status} | <{row.source}> |"
        yield ""


def _fabrics() -> Iterator[str]:
    yield ""
    yield "## Fabrics"
    yield ""
    yield "What `network.fabric` brings with it, in the image and on the nodes. `env` of the manifest comes first."
    yield ""
    yield "| fabric | variables | packages of a described image | devices | checked on each node | sources |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, row in FABRICS.items():
        variables = ", ".join(f"`{key}={value}`" for key, value in (("NCCL_NET", row.net), *row.env))
        packages = ", ".join(f"`{package}`" for package in row.packages)
        devices = ", ".join(f"`{device}`" for device in row.devices)
        sources = ", ".join(f"<{source}>" for source in row.sources)
        yield f"| `{name}`: {row.title} | {variables} | {packages} | {devices} | {_checked(row)} | {sources} |"


def _checked(row: Fabric) -> str:
    if not row.check:
        return ""
    port = f"a port of {row.link_layer} is up" if row.link_layer else "a port is up" if row.devices else ""
    device = "`/dev/infiniband/uverbs*`" if row.devices else "`/dev/cxi*`"
    limit = "locked memory is raised as far as the node lets it" if row.memlock else ""
    return "; ".join(part for part in (f"{device} is there", port, limit) if part)
