"""One run of ``mngen render``: load, compare, then write, list, show or refuse."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from mngen.cli import drift
from mngen.cli.pipeline import Rendered, render_all
from mngen.cli.placing import require_no_input, root_of
from mngen.cli.reporting import Findings, Report
from mngen.cli.request import STDOUT, Request, render_command
from mngen.cli.ui import Ui
from mngen.errors import FindingsError, UsageError
from mngen.output.access import require_access
from mngen.output.changes import Action, Change, compare
from mngen.output.inventory import NAME as INVENTORY
from mngen.output.tree import check_writable, write_tree
from mngen.plan import RenderedFile
from mngen.report.style import paint

_PAST = {Action.ADD: "wrote", Action.UPDATE: "wrote", Action.MODE: "set the mode of", Action.REMOVE: "removed"}
_NAMED = 8
"""So many removed files are named in the line that sums a render up."""


class Actions(Struct, frozen=True, kw_only=True):
    """What to do with the rendered files; without any of these they are written."""

    check: bool = False
    diff: bool = False
    dry_run: bool = False
    force: bool = False
    only: str | None = None

    @property
    def writes(self) -> bool:
        """Tell whether files are to be changed."""
        return not (self.check or self.diff or self.dry_run)


class Rendering(Struct):
    """The run: its command line, its findings, and where each manifest's files go."""

    ui: Ui
    manifests: tuple[str, ...]
    out: str
    request: Request
    form: str
    findings: Findings = field(default_factory=Findings)

    def run(self, actions: Actions) -> int:
        """Do it and return the exit status."""
        self._require_sense(actions)
        taken = self.out == STDOUT or actions.diff or actions.dry_run
        # A comparison is made again and again, and notes are about the manifest.
        notes = not (actions.check or actions.diff)
        report = Report(self.ui, self.form, stdout_taken=taken, notes=notes, strict=self.request.strict)
        rendered = render_all(self.manifests, replace(self.request, out=self.out), self.findings)
        _require_own_names(rendered)
        if rendered and self.out == STDOUT:
            report.emit(self.findings)
            self._to_stdout(rendered, actions.only)
        else:
            changes = self._to_folders(rendered, actions)
            rows = [_row(root, change) for root, found in changes for change in found]
            report.emit(self.findings, {"changes": rows})
            self._tell(changes, actions)
        return int(self.findings.fail(strict=self.request.strict))

    def _require_sense(self, actions: Actions) -> None:
        if self.out == STDOUT and not actions.writes:
            raise UsageError("`-o -` writes to standard output; there is nothing to compare it with")
        if actions.only is not None and self.out != STDOUT:
            raise UsageError("--file goes with `-o -`")

    def _root(self, item: Rendered) -> Path:
        return root_of(self.out, item.tree.name, several=len(self.manifests) > 1)

    def _to_folders(self, rendered: Sequence[Rendered], actions: Actions) -> list[tuple[Path, Sequence[Change]]]:
        """Compare all folders, then write them when nothing forbids it; return the changes of each."""
        changes = [(self._root(item), self._compare(item, actions)) for item in rendered]
        if not self.findings.fail(strict=self.request.strict) and actions.writes:
            for root, found in changes:
                require_access(root, [change.path for change in found])
            for item in rendered:
                write_tree(item.tree, self._root(item), force=actions.force, complete=self.request.complete)
        return changes

    def _compare(self, item: Rendered, actions: Actions) -> Sequence[Change]:
        """Return the changes of one folder; what forbids or faults them goes to the findings."""
        root, complete = self._root(item), self.request.complete
        try:
            if actions.check or actions.diff:
                found = compare(item.tree, root, complete=complete).changes
                if actions.check:
                    self.findings.add(drift.findings(found, root, self._repair(), self._repair(force=True)))
                return found
            require_no_input(root, [*(file.path for file in item.tree.files), INVENTORY], item.inputs)
            return check_writable(item.tree, root, force=actions.force, complete=complete).changes
        except FindingsError as error:
            self.findings.add(error.diagnostics)
            return ()

    def _repair(self, *, force: bool = False) -> str:
        return render_command(self.manifests, self.out, self.request, force=force)

    def _tell(self, changes: Sequence[tuple[Path, Sequence[Change]]], actions: Actions) -> None:
        for root, found in changes:
            if actions.diff:
                from mngen.output.diff import unified  # noqa: PLC0415 - few renders compare lines

                self.ui.data(_colored(unified(found, _prefix(root)), color=self.ui.color_out))
            elif actions.dry_run:
                self.ui.data("".join(f"{change.action.value:<6} {root / change.path}\n" for change in found))
            elif actions.writes and not self.findings.fail(strict=self.request.strict):
                for change in found:
                    self.ui.detail(f"{_PAST[change.action]} {root / change.path}")
                self.ui.say(_summary(root, found))

    def _to_stdout(self, rendered: Sequence[Rendered], only: str | None) -> None:
        trees = [(f"{item.tree.name}/" if len(rendered) > 1 else "", item.tree) for item in rendered]
        files = [(f"{folder}{file.path}", file) for folder, tree in trees for file in tree.files]
        if only is not None:
            files = [_one(files, only)]
        if len(files) == 1:
            self.ui.data(files[0][1].text)
            return
        if sys.stdout.isatty():
            raise UsageError("a tar stream is not for terminals", hint="pipe it to `tar x`, or name one with --file")
        from mngen.output.archive import tar  # noqa: PLC0415 - few renders make an archive

        self.ui.data(tar(trees, complete=self.request.complete))


def _one(files: Sequence[tuple[str, RenderedFile]], name: str) -> tuple[str, RenderedFile]:
    """Return the file of a name in the tar stream; without its manifest's name where one manifest has it."""
    found = [item for item in files if item[0] == name] or [item for item in files if item[1].path == name]
    if len(found) != 1:
        hint = f"files: {', '.join(sorted(path for path, _ in files))}"
        raise UsageError(f"{len(found)} files are named `{name}`", hint=hint)
    return found[0]


def _require_own_names(rendered: Sequence[Rendered]) -> None:
    names: dict[str, str] = {}
    for item in rendered:
        name, file = item.manifest.name, item.manifest.file
        if name in names:
            message = f"`{names[name]}` and `{file}` are both named `{name}`"
            raise UsageError(message, hint="several manifests are written to DIR/NAME each, so names must differ")
        names[name] = file


def _summary(root: Path, changes: Sequence[Change]) -> str:
    gone = [change.path for change in changes if change.action is Action.REMOVE]
    more = f" and {len(gone) - _NAMED} more" if len(gone) > _NAMED else ""
    counts = {"wrote": sum(_PAST[change.action] == "wrote" for change in changes), "removed": len(gone)}
    counts["set the mode of"] = sum(change.action is Action.MODE for change in changes)
    names = {"removed": f" ({', '.join(gone[:_NAMED])}{more})"}
    parts = [f"{word} {n} file{'s' if n > 1 else ''}{names.get(word, '')}" for word, n in counts.items() if n]
    return f"{root}: {', '.join(parts) or 'up to date'}"


def _prefix(root: Path) -> str:
    """Return what stands before paths in a diff, so that it applies from where the command runs.

    git refuses paths that start with ``/`` or ``..``: without these, it applies from the folder they lead to.
    """
    parts = PurePosixPath(posixpath.normpath(root.as_posix())).parts
    return "".join(f"{part}/" for part in parts if part not in {"/", "//", ".", ".."})


def _row(root: Path, change: Change) -> dict[str, Any]:
    return {"path": str(root / change.path), "action": change.action.value, "owner": change.owner.value}


def _colored(diff: str, *, color: bool) -> str:
    if not color:
        return diff
    styles = {"+": "added", "-": "removed", "@": "place", "d": "bold"}
    lines = diff.split("\n")
    return "\n".join(paint(line, styles[line[0]], color=True) if line[:1] in styles else line for line in lines)
