"""``mngen build-image``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from mngen.build.commands import BUILDERS, Command, Job, commands, secret_ids
from mngen.build.run import require_programs, run
from mngen.cli.inputs import folder_of
from mngen.cli.options import layer_options, output_option, talk_options
from mngen.cli.pipeline import Rendered, render_all
from mngen.cli.reporting import Findings, Report
from mngen.cli.request import Request, render_command
from mngen.cli.ui import Ui, current_ui
from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.errors import FindingsError, UsageError
from mngen.images.plan import GROUP, folder
from mngen.manifest.image import Image
from mngen.output.changes import compare

_EPILOG = """\b
Examples:
  mngen build-image manifest.yaml --dry-run
  mngen build-image --rocm
  mngen build-image manifest.yaml --cuda --push
  mngen build-image manifest.yaml --secret id=netrc,src=$HOME/.netrc

Builds from the rendered files, which have to be up to date. --dry-run prints the commands and needs neither
files nor a builder.
"""


@click.command("build-image", epilog=_EPILOG)
@click.argument("manifest", metavar="[MANIFEST]", default="manifest.yaml", required=False)
@output_option
@layer_options
@click.option("--variant", "variants", type=click.Choice(["cuda", "rocm"]), multiple=True, help="Only this variant.")
@click.option("--cuda", is_flag=True, help="Only the CUDA image: --variant cuda.")
@click.option("--rocm", is_flag=True, help="Only the ROCm image: --variant rocm.")
@click.option("--builder", type=click.Choice(BUILDERS), default="auto", show_default="the manifest's image.builder")
@click.option("--push", is_flag=True, help="Push each image once it is built.")
@click.option("--secret", "secrets", metavar="id=ID,src=FILE", multiple=True, help="Source of a build secret.")
@click.option("--dry-run", is_flag=True, help="Print the builder's command lines.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@talk_options
def command(manifest: str, out: str, request: Request, form: str, **choices: Any) -> int:
    """Build the images that a manifest describes."""
    ui, findings = current_ui(), Findings()
    rendered = render_all([manifest], replace(request, lint=False), findings)
    Report(ui, "text").emit(findings)
    if not rendered:
        return 1
    secrets = _secrets(choices["secrets"])
    planned = [
        (image, commands(_job(image, manifest, out, secrets, choices)))
        for image in _images(rendered[0], (*choices["variants"], *(v for v in ("cuda", "rocm") if choices[v])))
    ]
    if not choices["dry_run"]:
        _require_secrets([image for image, _ in planned], secrets)
        _require_fresh(rendered[0], out, render_command((manifest,), out, request))
        require_programs([one for _, found in planned for one in found])
        _build(ui, planned)
    ui.data(_output(planned, form, dry_run=choices["dry_run"]))
    return 0


def _job(image: Image, manifest: str, out: str, secrets: Mapping[str, str], choices: Mapping[str, Any]) -> Job:
    return Job(
        image=image,
        dockerfile=(Path(out) / folder(image) / "Dockerfile").as_posix(),
        context=folder_of(manifest).as_posix(),
        builder=choices["builder"],
        push=choices["push"],
        secrets=secrets,
    )


def _images(rendered: Rendered, variants: Sequence[str]) -> list[Image]:
    images = list(rendered.manifest.images.values())
    if not images:
        hint = "describe one: `mngen explain image`"
        raise UsageError("the manifest describes no image; it only uses ready ones", hint=hint)
    missing = set(variants) - {image.variant for image in images}
    if missing:
        raise UsageError(f"the manifest describes no image for {', '.join(sorted(missing))}")
    return [image for image in images if image.variant in variants or not variants]


def _secrets(options: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for option in options:
        name, comma, source = option.removeprefix("id=").partition(",")
        if not option.startswith("id=") or not comma or not source.startswith(("src=", "env=")):
            raise UsageError(f"`--secret {option}` is not of the form id=ID,src=FILE or id=ID,env=NAME")
        found[name] = source
    return found


def _require_secrets(images: Sequence[Image], secrets: Mapping[str, str]) -> None:
    wanted = {name for image in images for name in secret_ids(image)}
    missing, unknown = sorted(wanted - secrets.keys()), sorted(secrets.keys() - wanted)
    if missing:
        hint = " ".join(f"--secret id={name},src=FILE" for name in missing)
        raise UsageError(f"no source for the build secrets {', '.join(missing)}", hint=f"add {hint}")
    if unknown:
        raise UsageError(f"no image reads the build secrets {', '.join(unknown)}")


def _require_fresh(rendered: Rendered, out: str, repair: str) -> None:
    """Refuse to build from files that are not what the manifest renders."""
    changes = compare(rendered.tree, Path(out)).changes
    stale = [Path(out) / change.path for change in changes if change.path.startswith(f"{GROUP}/")]
    if stale:
        raise FindingsError(
            tuple(
                Diagnostic("MN601", Severity.ERROR, f"`{path}` is not up to date", Span(str(path)), f"run `{repair}`")
                for path in stale
            )
        )


def _build(ui: Ui, planned: Sequence[tuple[Image, Sequence[Command]]]) -> None:
    for image, found in planned:
        for one in found:
            ui.say(f"+ {one.text}")
            status = run(one)
            if status != 0:
                message = f"building `{image.reference}` failed: `{' '.join(one.argv[:2])}` ended with status {status}"
                hint = "the builder's own messages are above"
                raise FindingsError((Diagnostic("MN602", Severity.ERROR, message, image.span(""), hint),))


def _output(planned: Sequence[tuple[Image, Sequence[Command]]], form: str, *, dry_run: bool) -> str:
    if form == "json":
        images = [
            {
                "variant": image.variant,
                "reference": image.reference,
                "commands": [{"argv": list(one.argv), "env": dict(one.env)} for one in found],
            }
            for image, found in planned
        ]
        return json.dumps({"format": 1, "dry_run": dry_run, "images": images}, indent=2) + "\n"
    if dry_run:
        return "".join(f"{one.text}\n" for _, found in planned for one in found)
    return "".join(f"{image.reference}\n" for image, _ in planned)
