"""``mngen show``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click
from msgspec.structs import asdict

from mngen.cli.options import not_empty, request_options, talk_options
from mngen.cli.pipeline import load_all
from mngen.cli.port_table import NOTE, port_table, replaced_ports
from mngen.cli.reporting import Findings, Report
from mngen.cli.request import Request
from mngen.cli.showing import yaml_text
from mngen.cli.ui import current_ui
from mngen.launch.derived import replaced
from mngen.manifest.load import Loaded
from mngen.manifest.merge import origins
from mngen.manifest.model import Target
from mngen.manifest.shown import shown

_EPILOG = """\b
Examples:
  mngen show manifest.yaml --target amd
  mngen show manifest.yaml --target amd --overlay site.yaml
  mngen show manifest.yaml --format json | jq '.targets.amd.origins'

Prints all that holds for a target once every layer is merged, each value with the file, line and layer it
comes from, who gets which port, and what mngen would have set where the manifest says otherwise.
Without --target, all targets are printed.
"""


@click.command("show", epilog=_EPILOG)
@click.argument("manifest", metavar="MANIFEST", callback=not_empty)
@request_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@talk_options
def command(manifest: str, request: Request, form: str) -> int:
    """Print the effective manifest of a target, with origins."""
    ui, findings = current_ui(), Findings()
    loaded = load_all([manifest], request, findings)
    Report(ui, "text", strict=request.strict).emit(findings)
    if findings.fail(strict=request.strict) or not loaded or loaded[0].manifest is None:
        return 1
    if form == "json":
        ui.data(json.dumps(_document(loaded[0]), indent=2, ensure_ascii=False) + "\n")
    else:
        ui.data("\n".join(_target_text(loaded[0], target) for target in loaded[0].manifest.targets))
    return 0


def _target_text(loaded: Loaded, target: Target) -> str:
    lines = [f"# target {target.name}", yaml_text(loaded.trees[target.name]).rstrip("\n"), *_port_lines(target)]
    lines += _replaced_lines(target)
    return "\n".join(lines) + "\n"


def _port_lines(target: Target) -> Iterator[str]:
    rows = port_table(target)
    width = max(len(name) for name, _ in rows)
    yield "# ports" + (f" ({NOTE})" if any(not text.isdigit() for _, text in rows) else "")
    for name, text in rows:
        yield f"#   {name:<{width}}  {text}"


def _replaced(target: Target) -> dict[str, str]:
    """What mngen would have set, by the field of the manifest that says otherwise."""
    variables = {f"env.{name}": value for name, value in replaced(target).items()}
    return {**variables, **dict(replaced_ports(target))}


def _replaced_lines(target: Target) -> Iterator[str]:
    rows = _replaced(target)
    width = max(map(len, rows), default=0)
    if rows:
        yield "# set above instead of what mngen would set"
    for field, value in rows.items():
        yield f"#   {field:<{width}}  {value}"


def _document(loaded: Loaded) -> dict[str, Any]:
    assert loaded.manifest is not None
    return {
        "format": 1,
        "name": loaded.manifest.name,
        "digest": loaded.manifest.digest,
        "targets": {target.name: _target_data(loaded, target) for target in loaded.manifest.targets},
    }


def _target_data(loaded: Loaded, target: Target) -> dict[str, Any]:
    tree = loaded.trees[target.name]
    return {
        "fields": shown(tree),
        "origins": {path: {"layer": origin.layer, **asdict(origin.span)} for path, origin in origins(tree).items()},
        "ports": dict(port_table(target)),
        "replaced": _replaced(target),
    }
