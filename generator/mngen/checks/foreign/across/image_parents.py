"""Whether one image file builds on another: its FROM, a COPY --from or a build command says so.

A file's image is known by the tag that a build command gives it, or by what its name has beside ``Dockerfile``
(``Dockerfile.base``, ``base.def``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mngen.checks.foreign.document import Document, Form
from mngen.checks.foreign.stages import stages

_COPIED = re.compile(r"--from=(\S+)")
_COMMON = frozenset({"dockerfile", "containerfile", "def", "docker", ""})
_BUILDS = ("docker build", "docker buildx build", "podman build", "buildah build", "buildah bud")
_IMAGES = (Form.DOCKERFILE, Form.APPTAINER)


def related(first: Document, second: Document, documents: Sequence[Document]) -> bool:
    """Tell whether one of two image files names the other, or an image that is built of it."""
    return _names(first, second, documents) or _names(second, first, documents)


def _names(user: Document, used: Document, documents: Sequence[Document]) -> bool:
    file = _base(used.file)
    if file.lower() not in _COMMON and re.search(rf"(?<![\w.-]){re.escape(file)}(?![\w.-])", user.text):
        return True
    tags = set(_tags(used, documents))
    words = {word for word in file.lower().split(".") if word not in _COMMON}
    for image in _images(user):
        name, _, tag = image.rpartition("/")[2].partition(":")
        if image.partition(":")[0] in tags or words & {name.lower(), tag.lower()}:
            return True
    return False


def _images(document: Document) -> Iterator[str]:
    """Yield the images that a file starts from, or copies from."""
    yield from (stage.base for stage in stages(document))
    for part in document.instructions:
        if part.word == "COPY":
            yield from _COPIED.findall(part.text)


def _tags(image_file: Document, documents: Sequence[Document]) -> Iterator[str]:
    """Yield the names, without a tag behind a colon, that build commands give the image of a file."""
    for document in documents:
        for _script, call in document.called(*_BUILDS) if document.form not in _IMAGES else ():
            file = call.options.value("--file") or "Dockerfile"
            if _base(file) == _base(image_file.file):
                yield from (value.partition(":")[0] for value in call.options.values("--tag"))


def _base(path: str) -> str:
    return path.rpartition("/")[2]
