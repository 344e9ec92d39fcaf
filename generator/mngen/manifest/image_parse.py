"""From the manifest's ``image`` section to one :class:`~mngen.manifest.image.Image` per variant.

The section was validated by the schema before. A variant's fields are laid over the common ones:
lists are appended (what is common to both vendors is written once), maps merge, single values replace.
"""

from __future__ import annotations

from collections.abc import Mapping

from mngen.manifest.image import Env, FileCopy, GitSource, Image, Pip, Stage, Step, Torch, User
from mngen.manifest.image_reader import ImageReader, TextOf, spelling
from mngen.manifest.merge import READY, walk
from mngen.manifest.node import Node, Scalar, child


def described_variants(node: Node) -> tuple[str, ...]:
    """Return the variants that an ``image`` section describes, in the manifest's order.

    Empty for a section that only names a ready image (``ref``, ``sif``, ``sqsh``).
    """
    variants = child(node, "variants")
    if variants is None or not isinstance(variants.value, dict):
        return ()
    return tuple(variants.value)


def parse_image(node: Node, variant: str, text: TextOf = spelling) -> Image:
    """Build the description of one variant; absent fields get their defaults, nothing is judged here."""
    own = child(child(node, "variants"), variant)
    common = _drop(node, ("variants", *READY))
    merged = _overlay(common, own) if own is not None else common
    read = ImageReader(merged, text)
    return Image(
        variant=variant,
        repository=read.text("repository"),
        tag=read.text("tag"),
        base=read.text("base"),
        toolkit=read.text("toolkit"),
        gpu_arch=read.texts("gpu_arch"),
        platform=read.text("platform"),
        builder=read.text("builder", "buildkit"),
        apptainer=read.flag("apptainer", default=True),
        apt=read.texts("apt"),
        python=read.text("python"),
        system_python=read.flag("system_python", default=False) if read.has("system_python") else None,
        venv=read.text("venv"),
        torch=_torch(read.section("torch")),
        pip=_pip(read.section("pip")),
        git=tuple(_git(item) for item in read.items("git")),
        files=tuple(_file(item) for item in read.items("files")),
        stages=tuple(_stage(item) for item in read.items("stages")),
        env=_env(read.section("env")),
        steps=tuple(_step(item) for item in read.items("steps")),
        secrets=read.texts("secrets"),
        cache=read.flag("cache", default=True),
        user=_user(read.section("user")) if read.has("user") else None,
        arbitrary_uid=read.flag("arbitrary_uid", default=False),
        workdir=read.text("workdir", "/"),
        labels=read.section("labels").mapping(),
        self_test=tuple(_step(item) for item in read.items("self_test")),
        spans={path: part.span for path, part in walk(merged)},
    )


def _torch(read: ImageReader) -> Torch:
    return Torch(
        version=read.text("version"),
        wheel_index=read.text("wheel_index"),
        packages=read.texts("packages"),
        guard=read.flag("guard", default=True),
    )


def _pip(read: ImageReader) -> Pip:
    return Pip(
        packages=read.texts("packages"),
        no_build_isolation=read.texts("no_build_isolation"),
        constraints=read.texts("constraints"),
        index_url=read.text("index_url"),
        extra_index_urls=read.texts("extra_index_urls"),
        find_links=read.texts("find_links"),
        no_deps=read.flag("no_deps", default=False),
    )


def _git(read: ImageReader) -> GitSource:
    return GitSource(
        url=read.text("url"),
        ref=read.text("ref"),
        path=read.text("path"),
        pip=read.texts("pip"),
        submodules=read.flag("submodules", default=False),
        env=read.section("env").mapping(),
    )


def _file(read: ImageReader) -> FileCopy:
    source, target = read.text("source"), read.text("target")
    if target.endswith("/") and not source.endswith("/"):
        target += source.rpartition("/")[2]
    return FileCopy(
        source=source,
        target=target,
        mode=read.text("mode"),
        stage=read.text("from"),
        early=read.flag("early", default=False),
    )


def _step(read: ImageReader) -> Step:
    """Read a step; a plain text is a step without a name."""
    node = read.node
    body = read.child("run") if node is not None and isinstance(node.value, dict) else node
    scalar = body.value if body is not None and isinstance(body.value, Scalar) else None
    return Step(
        run=read.of(body) if body is not None else "",
        name=read.text("name"),
        secrets=read.texts("secrets"),
        span=body.span if body is not None else None,
        literal_block=scalar is not None and scalar.literal_block,
    )


def _stage(read: ImageReader) -> Stage:
    return Stage(
        name=read.text("name"),
        base=read.text("base"),
        apt=read.texts("apt"),
        env=read.section("env").mapping(),
        files=tuple(_file(item) for item in read.items("files")),
        steps=tuple(_step(item) for item in read.items("steps")),
    )


def _env(read: ImageReader) -> Env:
    prepend = read.section("prepend")
    names = tuple(prepend.node.value) if prepend.node and isinstance(prepend.node.value, dict) else ()
    return Env(
        build=read.section("build").mapping(),
        image=read.section("image").mapping(),
        prepend={name: prepend.texts(name) for name in names},
    )


def _user(read: ImageReader) -> User:
    uid = read.number("uid", 1000)
    return User(name=read.text("name"), uid=uid, gid=read.number("gid", uid))


def _drop(node: Node, keys: tuple[str, ...]) -> Node:
    if not isinstance(node.value, dict):
        return node
    kept = {key: item for key, item in node.value.items() if key not in keys}
    return Node(kept, node.span, node.key_span, node.layer)


def _overlay(common: Node, own: Node) -> Node:
    """Lay a variant's node over the common one: append lists, merge maps, replace the rest."""
    below, above = common.value, own.value
    if isinstance(below, tuple) and isinstance(above, tuple):
        return Node(below + above, own.span, own.key_span, own.layer)
    if isinstance(below, Mapping) and isinstance(above, Mapping):
        merged = {key: _overlay(below[key], item) if key in below else item for key, item in above.items()}
        ordered = {key: merged.get(key, item) for key, item in below.items()} | merged
        return Node(ordered, common.span, common.key_span, common.layer)
    return own
