"""The description of an image to build, independent of Dockerfile or definition file.

One :class:`Image` is one variant of the manifest's ``image`` section: the common fields with the
variant's own laid over them (lists are appended, maps merge, single values replace). Every value is
plain text as written; nothing in here is quoted for any language yet.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from mngen.diagnostics import Span
from mngen.manifest.base_image import lacks_certificates, lacks_git, lacks_python
from mngen.manifest.mirrors import Mirrors
from mngen.manifest.node import nearest_span


class Pip(Struct, frozen=True, kw_only=True):
    """Python packages to install, and where from. An empty ``index_url`` means pip's own default."""

    packages: tuple[str, ...] = ()
    """Requirements in pip's notation (``ray[default]==2.52.1``), one each."""
    no_build_isolation: tuple[str, ...] = ()
    """Requirements whose builds see what is installed; they come after ``packages``."""
    constraints: tuple[str, ...] = ()
    """Constraint files beside the manifest; they stay active in the shipped image."""
    index_url: str = ""
    extra_index_urls: tuple[str, ...] = ()
    find_links: tuple[str, ...] = ()
    """Flat pages or folders of wheels, for sites that have no index."""
    no_deps: bool = False

    @property
    def requirements(self) -> Mapping[str, str]:
        """All requirements by their field below ``image``, in the order of installation."""
        lists = {"packages": self.packages, "no_build_isolation": self.no_build_isolation}
        return {f"pip.{name}.{index}": text for name, found in lists.items() for index, text in enumerate(found)}


class GitSource(Struct, frozen=True, kw_only=True):
    """A checkout of one commit, tag or branch at ``path``; ``pip`` are the words after ``pip install`` there."""

    url: str
    ref: str
    path: str
    pip: tuple[str, ...] = ()
    submodules: bool = False
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables of this installation alone."""

    def holds(self, path: str) -> bool:
        """Tell whether a path of the image is the checkout's folder, or lies in it."""
        own, other = ([part for part in each.split("/") if part] for each in (self.path, path))
        return other[: len(own)] == own


class FileCopy(Struct, frozen=True, kw_only=True):
    """Something copied into the image: a file, or the content of a folder. A ``source`` that ends in ``/`` is a folder.

    ``stage`` names the build stage it comes from; without it the source lies beside the manifest.
    """

    source: str
    target: str
    mode: str = ""
    """Octal permission bits of a single file; empty keeps the source's."""
    stage: str = ""
    early: bool = False
    """True when it must be there before system packages are installed (certificates, package sources)."""

    @property
    def folder(self) -> bool:
        """Tell whether the content of a folder is copied, whatever lies there by the time of the build."""
        return self.source.endswith("/")

    @property
    def place(self) -> str:
        """Where a single file goes: a target that ends in ``/`` is the folder that it is put into."""
        return self.target + self.source.rpartition("/")[2] if self.target.endswith("/") else self.target


class Step(Struct, frozen=True, kw_only=True):
    """Shell text of the user's, run by bash with errexit, nounset and pipefail, in the image's ``workdir``."""

    run: str
    name: str = ""
    secrets: tuple[str, ...] = ()
    """Ids of build secrets that it may read, at ``/run/secrets/ID``; ``netrc`` as in :class:`Image`."""
    span: Span | None = None
    literal_block: bool = False


class Stage(Struct, frozen=True, kw_only=True):
    """A build stage whose results the image copies; nothing else of it is shipped."""

    name: str
    base: str
    apt: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables of this stage; they win over those of its base."""
    files: tuple[FileCopy, ...] = ()
    steps: tuple[Step, ...] = ()


class Env(Struct, frozen=True, kw_only=True):
    """Variables by their place; they win over the base's own.

    ``build`` is gone at run time; ``image`` is there in every layer and at run time.
    """

    build: Mapping[str, str] = field(default_factory=dict)
    image: Mapping[str, str] = field(default_factory=dict)
    prepend: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Folders put in front of a colon-separated variable such as PATH, keeping the base's value."""


class Torch(Struct, frozen=True, kw_only=True):
    """The PyTorch that the image must end up with."""

    version: str = ""
    """The public version (``2.9.1``); empty means whatever the base has."""
    wheel_index: str = ""
    """A page that holds one index per CUDA or ROCm version; ``cu128`` or ``rocm7.2`` is appended to it.

    When given, torch is installed from there in a layer of its own."""
    packages: tuple[str, ...] = ()
    """What comes with it from the same index (``torchvision==0.24.1``)."""
    guard: bool = True
    """Fail the build when a later layer replaces torch or its CUDA/ROCm build."""


class User(Struct, frozen=True, kw_only=True):
    """The user that Docker starts the image as."""

    name: str
    uid: int = 1000
    """At most what runc takes, 2147483647 (https://github.com/moby/sys/tree/main/user); whoever has it gives way."""
    gid: int = 1000


class Pins(Struct, frozen=True, kw_only=True):
    """What the lock file knows of an image; it is no part of the description, so digests do not count it."""

    bases: Mapping[str, str] = field(default_factory=dict)
    """Digests by the reference that the manifest writes."""
    commits: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Commit ids by URL and ref of a git source."""
    pushed: str = ""
    """The digest under which this very description was pushed."""


class Image(Struct, frozen=True, kw_only=True):
    """One variant of the manifest's ``image`` section, merged; see the schema for each field."""

    variant: str
    repository: str = ""
    tag: str = ""
    base: str = ""
    toolkit: str = ""
    """CUDA or ROCm version of the base, when its tag does not tell."""
    gpu_arch: tuple[str, ...] = ()
    platform: str = ""
    builder: str = "buildkit"
    """``buildkit``, ``podman`` or ``classic``: which Dockerfile features may be used."""
    apptainer: bool = True
    """Whether a definition file is written as well."""
    apt: tuple[str, ...] = ()
    python: str = ""
    """Python version that the image must have (``3.12``); empty means the base's."""
    system_python: bool | None = None
    """Install the distribution's Python; ``None`` means only on bases known to have none."""
    venv: str = ""
    """Folder of a virtual environment for all packages; ``none`` for no environment; empty derives it."""
    torch: Torch = field(default_factory=Torch)
    pip: Pip = field(default_factory=Pip)
    git: tuple[GitSource, ...] = ()
    files: tuple[FileCopy, ...] = ()
    stages: tuple[Stage, ...] = ()
    env: Env = field(default_factory=Env)
    steps: tuple[Step, ...] = ()
    secrets: tuple[str, ...] = ()
    """Ids of build secrets that package installation may read, at ``/run/secrets/ID``.

    One named ``netrc`` is ``/root/.netrc`` too, where pip and git look.
    """
    cache: bool = True
    user: User | None = None
    arbitrary_uid: bool = False
    """Make the image usable by any user id with group 0, also without an entry in /etc/passwd."""
    workdir: str = "/"
    labels: Mapping[str, str] = field(default_factory=dict)
    self_test: tuple[Step, ...] = ()
    fabrics: tuple[str, ...] = ()
    """Fabrics of the targets that use the image, as far as an image has to do with them."""
    pins: Pins = field(default_factory=Pins)
    mirrors: Mirrors = field(default_factory=Mirrors)
    """Where a site keeps copies; what an image holds is the same, wherever it came from."""
    spans: Mapping[str, Span] = field(default_factory=dict)
    """Where each field was written, by dotted path below ``image`` (``pip.packages.0``)."""

    @property
    def reference(self) -> str:
        """``repository:tag``, what is pushed and pulled."""
        return f"{self.repository}:{self.tag}"

    @property
    def uses_python(self) -> bool:
        """Tell whether any layer of mngen's own installs Python packages."""
        return bool(self.pip.requirements or self.torch.wheel_index or any(source.pip for source in self.git))

    @property
    def needs_system_python(self) -> bool:
        """Tell whether Python comes from the distribution: as asked, else where the base has none but it is used."""
        if self.system_python is not None:
            return self.system_python
        return self.uses_python and lacks_python(self.base)

    @property
    def git_packages(self) -> tuple[str, ...]:
        """What of git comes from the distribution: what the base has not, where something is fetched by it."""
        if not (self.git or any("git+" in text for text in self.pip.requirements.values())):
            return ()
        certificates = ("ca-certificates",) if lacks_certificates(self.base) else ()
        return ("git", *certificates) if lacks_git(self.base) else ()

    def checkout_of(self, item: FileCopy) -> int | None:
        """Return the number of the git source that a copied file lies in; of several the last to be checked out."""
        return next((n for n in reversed(range(len(self.git))) if self.git[n].holds(item.target)), None)

    @property
    def pulled(self) -> str:
        """What nodes pull: the repository with the pushed digest, where the lock file has one, else its tag."""
        return self.mirrors.image(f"{self.repository}@{self.pins.pushed}" if self.pins.pushed else self.reference)

    def pinned(self, base: str) -> str:
        """Return a base with the digest that the lock file has for it."""
        digest = self.pins.bases.get(base)
        return f"{base}@{digest}" if digest else base

    def __hash__(self) -> int:
        return hash((self.reference, self.base))

    def span(self, path: str) -> Span | None:
        """Return the place of a field, or of its nearest ancestor that was written."""
        return nearest_span(self.spans, path)
