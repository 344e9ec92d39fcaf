"""Looking up what tags and git refs mean today, and how that differs from the lock file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from mngen.build import process
from mngen.build.failures import BuildFailure, Scene, classify
from mngen.build.names import location
from mngen.build.registry import Registry
from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.images.lock_file import Commit, Lock, Tag
from mngen.images.pinning import Open, is_known

GONE = {"base-unknown", "ref-unknown"}
"""Kinds of failure that mean a deleted tag or branch; others say nothing about it."""


class Lookup(Struct):
    """Asks registries and git servers, each registry through one client."""

    today: str
    """The day in ISO 8601, kept with what was seen."""
    ca_bundle: str = ""
    _registries: dict[str, Registry] = field(default_factory=dict)

    def add(self, one: Open, lock: Lock) -> Lock:
        """Return the lock with what something means now. Raises ``BuildFailure``."""
        if one.url:
            return lock.with_commit((one.url, one.name), self.commit(one.place, one.name))
        return lock.with_tag(one.name, self.tag(one.place))

    def tag(self, reference: str) -> Tag:
        """Return what an image's tag means now. Raises ``BuildFailure``."""
        place = location(reference)
        if place is None:
            raise BuildFailure("no-reference", f"`{reference}` is no image reference", hint="write NAME:TAG")
        registry = self._registries.setdefault(place.host, Registry(place.host, ca_bundle=self.ca_bundle))
        found = registry.find(place)
        return Tag(digest=found.digest, platforms=found.platforms, seen=self.today)

    def commit(self, url: str, ref: str) -> Commit:
        """Return the commit that a branch or tag means now. Raises ``BuildFailure``.

        An annotated tag is an object of its own; ``^{}`` names the commit below it:
        https://git-scm.com/docs/git-ls-remote
        """
        names = (f"refs/tags/{ref}^{{}}", f"refs/tags/{ref}", f"refs/heads/{ref}", ref)
        env = (
            {"GIT_TERMINAL_PROMPT": "0", "GIT_SSL_CAINFO": self.ca_bundle}
            if self.ca_bundle
            else {"GIT_TERMINAL_PROMPT": "0"}
        )
        status, said = process.capture(("git", "ls-remote", "--quiet", url, *names), env)
        if status == 127:
            raise BuildFailure("engine-missing", "`git` is not installed", hint="install git")
        if status != 0:
            raise classify(said, Scene(program="git", doing="read", reference=url, registry=url))
        lines = [line.split("\t", 1) for line in said.splitlines() if "\t" in line]
        found = {name: commit for commit, name in lines}
        commit = next((found[name] for name in names if name in found), "")
        if not commit:
            raise BuildFailure(
                "ref-unknown",
                f"`{url}` has no branch or tag `{ref}`",
                hint="look at the spelling, and whether it was deleted",
            )
        return Commit(commit=commit, seen=self.today)


def missing(ends: Sequence[Open], lock: Lock, file: str) -> Iterator[Diagnostic]:
    """Yield a finding for everything that the lock does not pin."""
    for one in ends:
        if not is_known(one, lock):
            yield Diagnostic(
                "MN603",
                Severity.ERROR,
                f"`{file}` has no entry for {one.words}",
                one.span,
                "run `mngen lock`, and check it in",
            )


def drift(ends: Sequence[Open], lock: Lock, lookup: Lookup, file: str) -> Iterator[Diagnostic]:
    """Yield what moved or was deleted since it was locked. Raises ``BuildFailure`` when that cannot be asked."""
    for one in ends:
        if not is_known(one, lock):
            continue
        kept = lock.git[one.url, one.name] if one.url else lock.tags[one.name]
        before = kept.commit if isinstance(kept, Commit) else kept.digest
        try:
            now = lookup.commit(one.place, one.name).commit if one.url else lookup.tag(one.place).digest
        except BuildFailure as failure:
            if failure.kind not in GONE:
                raise
            hint = f"{before} may still be there; choose another one before it is not"
            yield Diagnostic("MN605", Severity.ERROR, f"{one.words}, locked on {kept.seen}, is gone", one.span, hint)
            continue
        if now != before:
            message = f"{one.words} moved: it was {before} on {kept.seen}, now it is {now}"
            hint = "builds stay with the old one; `mngen lock --update` takes the new one"
            yield Diagnostic("MN604", Severity.WARNING, message, one.span, hint)
    yield from _pushed_drift(lock, lookup, file)


def _pushed_drift(lock: Lock, lookup: Lookup, file: str) -> Iterator[Diagnostic]:
    for name, made in lock.pushed.items():
        place = location(name)
        if place is None:
            continue
        try:
            lookup.tag(f"{place.name}@{made.digest}")
        except BuildFailure as failure:
            if failure.kind not in GONE:
                raise
            message = f"{name}, pushed on {made.seen} as {made.digest}, is gone from its registry"
            yield Diagnostic(
                "MN605", Severity.ERROR, message, Span(file), "run `mngen build-image --push`, then render"
            )
