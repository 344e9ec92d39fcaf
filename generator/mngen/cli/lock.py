"""``mngen lock``."""

from __future__ import annotations

from pathlib import Path

import click

from mngen.build.engines import require_libraries
from mngen.build.locking import Lookup, drift, missing
from mngen.cli import locks
from mngen.cli.inputs import folder_of
from mngen.cli.options import format_option, layer_options, not_empty, talk_options
from mngen.cli.pipeline import load_all
from mngen.cli.reporting import Findings, Report
from mngen.cli.request import Request
from mngen.cli.ui import Ui, current_ui
from mngen.errors import UsageError
from mngen.images.lock_file import Lock
from mngen.images.pinning import Open, is_known, open_ends

_EPILOG = """\b
Examples:
  mngen lock                # look up what mngen.lock does not have yet
  mngen lock --update       # look up everything again
  mngen lock --check        # what moved, what is gone; writes nothing

mngen.lock lies beside the manifest and belongs into version control. `render` pins FROM lines, git sources and the
images of launch files to it. Logins are those that docker or podman keeps.
"""


@click.command("lock", epilog=_EPILOG)
@click.argument("manifest", metavar="[MANIFEST]", default="manifest.yaml", required=False, callback=not_empty)
@layer_options
@click.option(
    "--check", is_flag=True, help="Compare the lock with the world; exit 1 when something is gone or missing."
)
@click.option("--update", is_flag=True, help="Look up again what the lock has already.")
@click.option("--ca-bundle", metavar="FILE", default="", callback=not_empty, help="Certificates to trust.")
@click.option("--strict", is_flag=True, help="Tags and branches that moved fail the check too.")
@format_option("text", "json", "github")
@talk_options
def command(manifest: str, request: Request, form: str, *, check: bool, update: bool, ca_bundle: str) -> int:
    """Keep what tags and branches mean today."""
    if check and update:
        raise UsageError("--check and --update do not go together")
    require_libraries()
    ui, findings = current_ui(), Findings()
    loaded = load_all([manifest], request, findings)
    folder = folder_of(manifest)
    if not findings.fail(strict=False) and loaded[0].manifest is not None:
        ends, lock = open_ends(loaded[0].manifest), locks.read(folder)
        lookup = Lookup(locks.today(), ca_bundle)
        if check:
            _check(findings, ends, lock, lookup, str(locks.path_of(folder)))
        elif not ends:
            ui.say(f"{manifest}: nothing to lock: it names no image by a tag, and no git source by a branch or tag")
        else:
            found = _looked_up(ui, ends, Lock() if update else lock, lookup)
            _write(ui, folder, found, update=update)
    Report(ui, form, strict=request.strict).emit(findings)
    return int(findings.fail(strict=request.strict))


def _check(findings: Findings, ends: tuple[Open, ...], lock: Lock, lookup: Lookup, file: str) -> None:
    findings.add(tuple(missing(ends, lock, file)))
    findings.add(tuple(drift(ends, lock, lookup, file)))


def _looked_up(ui: Ui, ends: tuple[Open, ...], known: Lock, lookup: Lookup) -> Lock:
    """Return what is not known yet, and nothing else."""
    found = Lock()
    for one in ends:
        if not is_known(one, known):
            ui.detail(f"looking up {one.words}")
            found = lookup.add(one, found)
    return found


def _write(ui: Ui, folder: Path, found: Lock, *, update: bool) -> None:
    """Add what was found to the lock as it is by now; what another command has written meanwhile stays."""
    path = locks.path_of(folder)
    before, after, wrote = locks.change(folder, lambda lock: lock.under(found) if update else found.under(lock))
    changed = [name for name, tag in after.tags.items() if _digest(before, name) != tag.digest]
    changed += [f"{ref} of {url}" for (url, ref), commit in after.git.items() if before.git.get((url, ref)) != commit]
    if wrote:
        ui.say(f"{path}: {len(changed)} new or changed: {', '.join(changed)}" if changed else f"{path}: same digests")
        ui.say("run `mngen render` to pin the files to it")
    else:
        ui.say(f"{path}: up to date")


def _digest(lock: Lock, name: str) -> str:
    return lock.tags[name].digest if name in lock.tags else ""
