"""Read what a target is made of: resources, image, files, network, container, scheduler."""

from __future__ import annotations

from mngen.manifest import leaf
from mngen.manifest.definitions import definition, resolved
from mngen.manifest.image import Image
from mngen.manifest.image_parse import described_variants, parse_image
from mngen.manifest.model import (
    Code,
    Container,
    GpuRequest,
    Memory,
    Mirrors,
    Mount,
    Network,
    ReadyImage,
    Resources,
    Slurm,
)
from mngen.manifest.node import Node, Scalar
from mngen.manifest.text import Phase, Text
from mngen.manifest.typed_fields import Fields

_SLURM_OWN = frozenset({"gpu_request", "extra", "srun_args", "version", "output", "error"})
"""Keys of ``slurm`` that are no plain directives."""


def resources(fields: Fields) -> Resources:
    """Read ``resources``."""
    return Resources(
        nodes=fields.integer("nodes", 1),
        gpus=fields.integer("gpus", 0),
        gpu_type=fields.line("gpu_type"),
        gpu_memory=fields.size("gpu_memory"),
        cpus=fields.optional_integer("cpus"),
        memory=memory(fields),
        shm=fields.size("shm"),
        disk=fields.size("disk"),
    )


def memory(fields: Fields) -> Memory | None:
    """Read ``memory`` in its forms: ``64G``, ``64G+``, ``0``, ``{per_cpu: 4G}``, ``{per_gpu: 128G}``."""
    node = fields.get("memory")
    if node is None:
        return None
    if not isinstance(node.value, Scalar):
        choice = fields.section("memory")
        per_cpu, per_gpu = choice.size("per_cpu"), choice.size("per_gpu")
        if (per_cpu is None) == (per_gpu is None):
            hint = "write {per_cpu: 4G} or {per_gpu: 128G}"
            choice.scope.report("MN104", f"`{choice.path}` takes one of per_cpu and per_gpu", node.span, hint)
        return Memory(per_cpu=per_cpu, per_gpu=per_gpu)
    spelled = fields.line("memory") or "0"
    size = spelled.removesuffix("+")
    if spelled != "0" and not leaf.SIZE.fullmatch(size):
        message = f"`{fields.name('memory')}` is {spelled!r}, which is no amount"
        fields.scope.report("MN104", message, node.span, "write 64G, 64G+ (at least), or 0 (all of the node)")
    return Memory(per_node=size)  # every place gives at least what is asked, so a trailing `+` changes nothing


def ready_image(fields: Fields) -> ReadyImage | None:
    """Read ``image.ref``, ``image.sif`` or ``image.sqsh``; ``None`` when the image is only described."""
    present = [key for key in ("ref", "sif", "sqsh") if key in fields]
    if not present:
        return None
    _check_beside_ready(fields, present)
    if len(present) > 1:
        node = fields.get(present[1])
        message = f"`image` names a ready image twice: {' and '.join(present)}"
        fields.scope.report("MN104", message, node.span if node else None, "keep one of them")
    return ReadyImage(
        ref=fields.line("ref"),
        sif=fields.text("sif", Phase.NODE),
        sqsh=fields.text("sqsh", Phase.NODE),
    )


def _check_beside_ready(fields: Fields, present: list[str]) -> None:
    """Report keys of a description beside a ready image; only a ``sif`` stands beside a whole description.

    Of one that lacks its repository alone, :func:`described_image` speaks.
    """
    others = [key for key in _keys(fields.node) if key not in present]
    if not others or (present == ["sif"] and {"repository", "variants"} & set(others)):
        return
    node = fields.get(others[0])
    message = f"`image.{others[0]}` has no meaning beside `image.{present[0]}`, which is an image that exists"
    place = node.key_span or node.span if node is not None else None
    fields.scope.report("MN104", message, place, "keep the ready image or the description")


def described_image(fields: Fields, variant: str, *, needed: bool) -> Image | None:
    """Read the description of a variant's image; ``None`` when there is none.

    ``needed`` says that the target cannot do without: then a variant that is not described is an error.
    """
    node = fields.node
    if node is None or {"ref", "sqsh"} & set(_keys(node)):
        return None
    known = described_variants(node)
    if "repository" not in fields:
        if known:
            message = "`image` describes an image, but has no `repository`, by which the image is named"
            hint = "write repository: registry.example.org/you/name; nothing is sent there unless you push"
            place = fields.get("variants") or node
            fields.scope.report("MN105", message, place.key_span or place.span, hint)
        return None
    if variant not in known:
        if needed:
            message = f"`image.variants` does not describe `{variant}`, the variant of this target"
            hint = f"add it, or set `variant: {known[0]}` in the target" if known else "add it"
            place = fields.get("variants") or node
            fields.scope.report("MN105", message, place.key_span or place.span, hint)
        return None
    return parse_image(node, variant, lambda part: _image_text(fields, part))


def _image_text(fields: Fields, node: Node) -> str:
    return leaf.text(fields.scope, node, fields.path, Phase.RENDER, empty=True).literal or ""


def _keys(node: Node | None) -> tuple[str, ...]:
    return tuple(node.value) if node is not None and isinstance(node.value, dict) else ()


def code(fields: Fields) -> Code | None:
    """Read ``code``."""
    if fields.node is None:
        return None
    return Code(path=fields.line("path"), git=fields.line("git"), ref=fields.line("ref"), to=fields.line("to"))


def mounts(fields: Fields) -> tuple[Mount, ...]:
    """Read the list ``mounts``."""
    found: list[Mount] = []
    for index, node in enumerate(fields.items("mounts")):
        one = Fields(node, f"{fields.name('mounts')}.{index}", fields.scope)
        if not one.is_map():
            continue
        source = one.text("source", Phase.NODE) or Text(("",))
        found.append(
            Mount(
                source=source,
                target=one.text("target", Phase.NODE) or (source if _is_path(source) else Text(("",))),
                mode=one.choice("mode", "rw"),
                shared=one.flag("shared"),
                span=node.span,
            )
        )
    return tuple(found)


def _is_path(source: Text) -> bool:
    """Tell whether a source may be the target as well: an absolute path, or one that a variable of the node begins."""
    first = source.parts[0]
    return not isinstance(first, str) or first.startswith("/")


def network(fields: Fields) -> Network:
    """Read ``network``."""
    return Network(
        family=fields.choice("family", "auto"),
        interface=fields.line("interface"),
        cidr=fields.line("cidr"),
        host_suffix=fields.line("host_suffix"),
        fabric=fields.line("fabric"),
        proxy=fields.flag("proxy"),
    )


def mirrors(fields: Fields) -> Mirrors:
    """Read ``mirrors``; most manifests have none."""
    if fields.node is None:
        return Mirrors()

    def table(kind: str) -> dict[str, str]:
        path = fields.name(kind)
        return {host: leaf.line(fields.scope, node, f"{path}.{host}") or "" for host, node in fields.entries(kind)}

    return Mirrors(
        images=table("images"),
        apt=table("apt"),
        pip=table("pip"),
        git=table("git"),
        files=table("files"),
        huggingface=fields.line("huggingface"),
    )


def container(fields: Fields) -> Container:
    """Read ``container``."""
    return Container(
        command=tuple(word.literal or "" for word in fields.words("command", Phase.RENDER)),
        prefix=fields.words("prefix", Phase.NODE),
        options=fields.texts("options", Phase.NODE),
        gpu=fields.choice("gpu", "auto"),
        user=fields.choice("user", "image"),
        host_ids=fields.flag("host_ids"),
        clean_env=fields.flag("clean_env"),
        writable=fields.flag("writable"),
        mount_home=fields.flag("mount_home"),
        pull=fields.choice("pull", "missing"),
    )


def _is_text_directive(key: str) -> bool:
    """Tell whether a directive holds text, so that ``comment: true`` is the word and no switch."""
    kinds = resolved(definition("slurm")["properties"].get(key, {})).get("type", ())
    return "number" in kinds and "boolean" in kinds


def _raw_option(item: str) -> str:
    """Return a raw option without ``#SBATCH`` and blanks before it; the value of the one before it stays as it is."""
    option = item.strip().removeprefix("#SBATCH").strip()
    return option if option.startswith("-") else item


def slurm(fields: Fields) -> Slurm:
    """Read ``slurm``: directives as written, booleans as such."""
    node = fields.node
    directives: dict[str, str | bool] = {}
    for key in _keys(node):
        own = fields.get(key)
        if key in _SLURM_OWN or own is None:
            continue
        if isinstance(own.value, Scalar) and isinstance(own.value.value, bool) and not _is_text_directive(key):
            directives[key] = own.value.value
        else:
            directives[key] = fields.line(key) or ""
    request = fields.section("gpu_request")
    return Slurm(
        fields=directives,
        gpu_request=GpuRequest(form=request.choice("form", "gpus-per-node"), type=request.line("type")),
        extra=tuple(map(_raw_option, fields.lines("extra"))),
        srun_args=fields.lines("srun_args"),
        version=fields.line("version"),
        output=fields.line("output"),
        error=fields.line("error"),
    )
