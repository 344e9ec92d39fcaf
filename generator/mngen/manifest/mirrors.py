"""Where a site keeps copies: the ``mirrors`` of a manifest, and rewriting what is fetched to them.

A key is a host, or a host and the beginning of a path; the longest that fits holds. Without any mirror nothing
changes: every function here then returns what it was given.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from msgspec import Struct, field

from mngen.manifest.base_image import at_registry, parse_reference

PYPI = "https://pypi.org/simple"
"""What pip and uv ask without being told: https://pip.pypa.io/en/stable/cli/pip_install/#install-index-url"""
HUGGING_FACE = "huggingface.co"

URL = re.compile(
    r"(?<![A-Za-z0-9+.-])(?P<form>(?:git\+)?(?:https?|ssh|git)|docker|oras)://"
    r"(?:[^\s/@'\"<>|;&()`]*@)?(?P<rest>[A-Za-z0-9\[][^\s'\"<>|;&()`\\]*)"
)
"""A URL of something to fetch, in any text; ``rest`` is host and path."""
SCP = re.compile(r"(?<![\w./@:-])[\w.-]+@(?P<host>[A-Za-z0-9.-]+):(?P<path>(?![/0-9])[^\s'\"<>|;&()`\\]+)")
"""``git@github.com:org/repo``, as https://git-scm.com/docs/git-clone#_git_urls allows."""
_GIT_COMMAND = re.compile(r"\bgit\b[^|;&\n]*$")


class Mirrors(Struct, frozen=True, kw_only=True):
    """Mirrors by kind. Values of ``images`` are registries, all others URLs."""

    images: Mapping[str, str] = field(default_factory=dict)
    apt: Mapping[str, str] = field(default_factory=dict)
    pip: Mapping[str, str] = field(default_factory=dict)
    git: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    huggingface: str | None = None

    def __bool__(self) -> bool:
        return bool(self.images or self.apt or self.pip or self.git or self.files or self.huggingface)

    def single(self) -> tuple[tuple[str, Mirrors], ...]:
        """Return each mirror alone, with its field below ``mirrors``."""
        found = [(f"images.{key}", Mirrors(images={key: place})) for key, place in self.images.items()]
        found += [(f"apt.{key}", Mirrors(apt={key: url})) for key, url in self.apt.items()]
        found += [(f"pip.{key}", Mirrors(pip={key: url})) for key, url in self.pip.items()]
        found += [(f"git.{key}", Mirrors(git={key: url})) for key, url in self.git.items()]
        found += [(f"files.{key}", Mirrors(files={key: url})) for key, url in self.files.items()]
        if self.huggingface:
            found.append(("huggingface", Mirrors(huggingface=self.huggingface)))
        return tuple(found)

    def image(self, reference: str) -> str:
        """Return where an image is pulled from; what is no reference stays as it is."""
        found = parse_reference(reference) if self.images else None
        if found is None:
            return reference
        moved = instead(self.images, "/".join(at_registry(found.name)))
        return reference if moved is None else moved + reference.removeprefix(found.name)

    def wheels(self, url: str) -> str:
        """Return where an index or a page of wheels is."""
        return _moved(url, self.pip)

    def source(self, url: str) -> str:
        """Return where a git repository is, whatever the form of its URL."""
        scp = SCP.fullmatch(url)
        if scp:
            return instead(self.git, f"{scp['host']}/{scp['path']}") or url
        return _moved(url, self.git)

    def text(self, text: str) -> str:
        """Return text of the user's (shell, words, values) with the places in it that have a mirror replaced."""
        if not self or ("://" not in text and "@" not in text):
            return text
        replaced = URL.sub(lambda match: self._place(match, text), text)
        return SCP.sub(lambda match: self.source(match[0]), replaced) if self.git else replaced

    def variables(self, taken: Collection[str] = ()) -> dict[str, str]:
        """Return the variables by which pip, uv and Hugging Face's libraries find their mirrors.

        ``taken`` are names that the user sets. Sources:
        https://pip.pypa.io/en/stable/topics/configuration/#environment-variables,
        https://docs.astral.sh/uv/reference/environment/,
        https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables.
        """
        found: dict[str, str] = {}
        index = self.wheels(PYPI)
        if index != PYPI:
            found |= {"PIP_INDEX_URL": index, "UV_DEFAULT_INDEX": index}
        # pip asks no host without TLS that it was not told to trust.
        plain = dict.fromkeys(urlsplit(url).netloc for url in self.pip.values() if url.startswith("http://"))
        if plain:
            found["PIP_TRUSTED_HOST"] = " ".join(plain)
        if self.huggingface:
            # Xet's servers are hosts of their own, which the hub names; without it, files come from the endpoint.
            found |= {"HF_ENDPOINT": self.huggingface.rstrip("/"), "HF_HUB_DISABLE_XET": "1"}
        return {name: value for name, value in found.items() if name not in taken}

    def git_rewrites(self) -> tuple[tuple[str, str], ...]:
        """Return how URLs of git begin, each with what it begins with at the mirror (git's ``url.*.insteadOf``)."""
        return tuple((old, new.rstrip("/") + "/") for key, new in self.git.items() for old in _git_forms(key))

    def git_variables(self, taken: Collection[str] = ()) -> dict[str, str]:
        """Return git's rewrites as variables, for git 2.31 and newer; none where the user sets some of that kind.

        Source: https://git-scm.com/docs/git-config#ENVIRONMENT.
        """
        rewrites = self.git_rewrites()
        if not rewrites or any(name.startswith("GIT_CONFIG_") for name in taken):
            return {}
        found = {"GIT_CONFIG_COUNT": str(len(rewrites))}
        for number, (old, new) in enumerate(rewrites):
            found |= {f"GIT_CONFIG_KEY_{number}": f"url.{new}.insteadOf", f"GIT_CONFIG_VALUE_{number}": old}
        return found

    def _place(self, match: re.Match[str], text: str) -> str:
        form, rest = match["form"], match["rest"]
        if form in {"docker", "oras"}:
            found = instead(self.images, rest) if form == "oras" else self.image(rest)
            return f"{form}://{found or rest}"
        tables = [self.git] if of_git(match, text) else []
        if form in {"http", "https"}:
            tables += [self.files, self.pip, {HUGGING_FACE: self.huggingface} if self.huggingface else {}]
        moved = next((found for table in tables if (found := instead(table, rest)) is not None), None)
        if moved is None:
            return match[0]
        return f"git+{moved}" if form.startswith("git+") else moved


def of_git(match: re.Match[str], text: str) -> bool:
    """Tell whether a URL is one of git: by its form, by ``.git`` at its end, or behind the word ``git``."""
    before = text[: match.start()].replace("\\\n", " ")
    path = re.split(r"[?#@]", match["rest"].partition("/")[2])[0].rstrip("/")
    return match["form"] not in {"http", "https"} or path.endswith(".git") or bool(_GIT_COMMAND.search(before))


def instead(table: Mapping[str, str], place: str) -> str | None:
    """Return the mirror of a place (host and path), or ``None`` where it has none."""
    for key in sorted(table, key=len, reverse=True):
        # After a host a colon begins a port, which is another server; after a path it begins a tag.
        inside = r"[A-Za-z0-9._~%-]" if "/" in key else r"[A-Za-z0-9._~%:@-]"
        if place.startswith(key) and not re.match(inside, place[len(key) :]):
            return table[key].rstrip("/") + place[len(key) :]
    return None


def _git_forms(key: str) -> tuple[str, ...]:
    """Return how URLs of a place begin; git compares them as text."""
    host, _, path = key.partition("/")
    end = f"{path}/" if path else ""
    return (f"https://{host}/{end}", f"ssh://git@{host}/{end}", f"git@{host}:{end}")


def _moved(url: str, table: Mapping[str, str]) -> str:
    match = URL.fullmatch(url)
    return url if match is None else instead(table, match["rest"]) or url
