"""``mngen schema``."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from mngen.cli.options import talk_options
from mngen.cli.ui import current_ui
from mngen.errors import EnvironmentFailure
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
@click.option("-o", "--output", "out", metavar="FILE", default="-", help="File to write to; - is standard output.")
@talk_options
def command(out: str) -> int:
    """Print the JSON Schema of the manifest."""
    text = files("mngen.schemas").joinpath(FILE_NAME).read_text(encoding="utf-8")
    ui = current_ui()
    if out == "-":
        ui.data(text)
        return 0
    try:
        Path(out).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise EnvironmentFailure(f"cannot write `{out}`: {error.strerror}") from error
    ui.say(f"wrote {out}")
    return 0
