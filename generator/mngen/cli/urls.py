"""``mngen urls``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import click
from msgspec.structs import asdict

from mngen.cli.options import not_empty, request_options, talk_options
from mngen.cli.pipeline import load_all
from mngen.cli.reporting import Findings, Report
from mngen.cli.request import Request
from mngen.cli.ui import current_ui
from mngen.manifest.contacts import Contact
from mngen.targets.contacts import contacts

_EPILOG = """\b
Examples:
  mngen urls                              # of manifest.yaml here
  mngen urls manifest.yaml --target amd
  mngen urls --format json | jq -r '.contacts[].host' | sort -u

For a firewall: each host with the field that it comes from, and with those
that stand behind it (registries hand out files from elsewhere). `text` marks
what was found in your own text, `default` what a program asks without being
told. What only a node knows ($VARIABLES in URLs), what a program in the image
decides, and what Slurm, SkyPilot or dstack ask themselves is not seen here;
`?` is a host that only the base image knows.
`mirrors` in the manifest sends fetches to hosts of the site.
"""
_PHASES = {"lock": "mngen lock", "build": "building images", "job": "running jobs"}


@click.command("urls", epilog=_EPILOG)
@click.argument("manifest", metavar="[MANIFEST]", default="manifest.yaml", required=False, callback=not_empty)
@request_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@talk_options
def command(manifest: str, request: Request, form: str) -> int:
    """List every host that builds and jobs contact."""
    ui, findings = current_ui(), Findings()
    loaded = load_all([manifest], request, findings)
    Report(ui, "text", strict=request.strict).emit(findings)
    if findings.fail(strict=request.strict) or not loaded or loaded[0].manifest is None:
        return 1
    found = contacts(loaded[0].manifest)
    if form == "json":
        ui.data(json.dumps({"format": 1, "contacts": [asdict(one) for one in found]}, indent=2) + "\n")
    else:
        ui.data("".join(f"{line}\n" for line in _text(found)))
    return 0


def _text(found: Sequence[Contact]) -> Iterator[str]:
    for phase, title in _PHASES.items():
        groups = _groups([one for one in found if one.phase == phase])
        yield f"{title}:" if groups else f"{title}: no host"
        for hosts, reasons in groups.items():
            yield f"  {', '.join(hosts)}"
            width = max(len(field) for _, field, _ in reasons)
            yield from (f"    {how:<7}  {field:<{width}}  {what}" for how, field, what in reasons)


def _groups(found: Sequence[Contact]) -> dict[tuple[str, ...], list[tuple[str, str, str]]]:
    """Return hosts, those together that are always asked together, each with what it is asked for.

    That is: how it was found, its field with targets or variants, and the place itself.
    """
    places: dict[tuple[str, str, str], dict[str, None]] = {}
    hosts: dict[str, dict[tuple[str, str, str], None]] = {}
    for one in found:
        reason = (one.how, one.field, one.what)
        places.setdefault(reason, {})[one.where] = None
        hosts.setdefault(f"{one.host}:{one.port}" if one.port else one.host, {})[reason] = None
    groups: dict[tuple[tuple[str, str, str], ...], list[str]] = {}
    for host, reasons in hosts.items():
        groups.setdefault(tuple(reasons), []).append(host)
    return {
        tuple(names): [(how, f"{field} ({', '.join(places[how, field, what])})", what) for how, field, what in reasons]
        for reasons, names in groups.items()
    }
