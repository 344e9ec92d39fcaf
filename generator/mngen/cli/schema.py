"""``mngen schema``."""

from __future__ import annotations

from pathlib import Path

import click

from mngen.cli.options import not_empty, talk_options
from mngen.cli.ui import current_ui
from mngen.cli.writing import write_file
from mngen.data_files import folder
from mngen.manifest.definitions import FILE_NAME

_EPILOG = f"""\b
Examples:
  mngen schema -o {FILE_NAME}
  mngen schema | jq '.properties | keys'

\b
An editor with a YAML language server completes and checks a manifest that
begins with
  # yaml-language-server: $schema={FILE_NAME}
"""


@click.command("schema", epilog=_EPILOG)
@click.option(
    "-o",
    "--output",
    "out",
    metavar="FILE",
    default="-",
    callback=not_empty,
    help="File to write to; - is standard output.",
)
@click.option("--force", is_flag=True, help="Overwrite a file that differs.")
@talk_options
def command(out: str, force: bool) -> int:
    """Print the JSON Schema of the manifest."""
    text = folder("mngen.schemas").joinpath(FILE_NAME).read_text(encoding="utf-8")
    ui = current_ui()
    if out == "-":
        ui.data(text)
        return 0
    written = write_file(Path(out), text, force=force)
    ui.say(f"wrote {out}" if written else f"{out} is up to date")
    return 0
