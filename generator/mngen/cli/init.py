"""``mngen init``."""

from __future__ import annotations

import re
from pathlib import Path
from shlex import quote

import click

from mngen.cli.options import not_empty, talk_options
from mngen.cli.ui import current_ui
from mngen.cli.writing import write_file
from mngen.data_files import folder
from mngen.diagnostics import Severity
from mngen.errors import UsageError
from mngen.manifest.definitions import FILE_NAME

PRESETS = {
    "minimal": "the least that a manifest can say",
    "slurm-cuda": "Slurm, NVIDIA GPUs, Apptainer",
    "slurm-rocm": "Slurm, AMD GPUs, Apptainer",
    "skypilot": "machines that SkyPilot finds",
    "dstack": "a dstack fleet",
    "manual": "machines that you start by hand",
}
"""Files of ``templates/presets``, each with a few words; a test keeps the two equal and renders each."""

_NAME = re.compile(r"^name: .*$", re.MULTILINE)

_EPILOG = "\n".join(
    [
        "\b",
        "Examples:",
        "  mngen init --preset slurm-cuda",
        "  mngen init --preset skypilot --name ppo -o jobs/ppo.yaml",
        "  mngen init --preset minimal -o - | mngen render - -o out",
        "",
        "\b",
        "Presets:",
        *(f"  {name:<11} {words}" for name, words in PRESETS.items()),
    ]
)


@click.command("init", epilog=_EPILOG)
@click.option("--preset", type=click.Choice(list(PRESETS)), default="minimal", show_default=True)
@click.option("--name", metavar="NAME", help="Name of the workload.")
@click.option("-o", "--output", "out", metavar="FILE", default="manifest.yaml", show_default=True, callback=not_empty)
@click.option("--force", is_flag=True, help="Overwrite the file.")
@talk_options
def command(preset: str, name: str | None, out: str, force: bool) -> int:
    """Write a first manifest from a preset."""
    text = preset_text(preset, name)
    ui = current_ui()
    if out == "-":
        ui.data(text)
        return 0
    written = write_file(Path(out), text, force=force)
    ui.say(f"{f'wrote {out}' if written else f'{out} is this preset already'}; next: mngen validate {quote(out)}")
    ui.say(f"for completion in an editor: mngen schema -o {quote(str(Path(out).parent / FILE_NAME))}")
    return 0


def preset_text(preset: str, name: str | None = None) -> str:
    """Return a preset as a manifest of its own, under the given name."""
    text = folder("mngen.templates").joinpath(f"presets/{preset}.yaml").read_text(encoding="utf-8")
    if name is not None:
        if not re.fullmatch(r"[A-Za-z0-9._-]+", name):
            raise UsageError(f"`{name}` cannot be a name", hint="use letters, digits, dots and dashes")
        text = _NAME.sub(f"name: {name}", text, count=1)
        _require_valid(text)
    return f"# yaml-language-server: $schema={FILE_NAME}\n{text}"


def _require_valid(text: str) -> None:
    """Refuse a name that the manifest would be refused for: nothing else in a preset is."""
    from mngen.manifest.load import load  # noqa: PLC0415 - only a name is judged

    found = [item for item in load(text, "manifest.yaml").diagnostics if item.severity is Severity.ERROR]
    if found:
        raise UsageError(found[0].message, hint=found[0].hint)
