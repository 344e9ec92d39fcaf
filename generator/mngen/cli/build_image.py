"""``mngen build-image``."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from mngen.build import platforms
from mngen.build.abilities import refuse_ignored
from mngen.build.commands import commands
from mngen.build.engines import BUILDERS, meant, refuse_unfit
from mngen.build.job import Job, secret_ids, tested_ids
from mngen.build.names import location
from mngen.cli import building
from mngen.cli.inputs import folder_of
from mngen.cli.options import layer_options, not_empty, rendered_option, talk_options
from mngen.cli.pipeline import Rendered, render_all
from mngen.cli.reporting import Findings, Report
from mngen.cli.request import STDOUT, Request, render_command
from mngen.cli.ui import current_ui
from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.errors import FindingsError, UsageError
from mngen.images.fetching import CERTIFICATES
from mngen.images.plan import definition_path, folder
from mngen.manifest.image import Image
from mngen.output.changes import compare

_EPILOG = """\b
Examples:
  mngen build-image --dry-run
  mngen build-image --rocm
  mngen build-image manifest.yaml --cuda --push
  mngen build-image --cuda --builder apptainer
  mngen build-image --cuda --push --sif --secret id=netrc,src=$HOME/.netrc

Builds from the rendered files, which have to be up to date. --dry-run prints the commands and needs neither
files nor a builder. A push ends with the digest that the registry has; `mngen.lock` beside the manifest keeps it.
"""

_VARIANTS = ("cuda", "rocm")


@click.command("build-image", epilog=_EPILOG)
@click.argument("manifest", metavar="[MANIFEST]", default="manifest.yaml", required=False, callback=not_empty)
@rendered_option
@layer_options
@click.option("--variant", "variants", type=click.Choice(_VARIANTS), multiple=True, help="Only this variant.")
@click.option("--cuda", is_flag=True, help="Only the CUDA image: --variant cuda.")
@click.option("--rocm", is_flag=True, help="Only the ROCm image: --variant rocm.")
@click.option("--all", "every", is_flag=True, help="All variants; so it is without any of these.")
@click.option("--builder", type=click.Choice(BUILDERS), default="auto", show_default="what image.builder is for")
@click.option("--push", is_flag=True, help="Push each image once it is built.")
@click.option("--sif", is_flag=True, help="Make a SIF of each image, beside its Dockerfile.")
@click.option("--tag", "tags", metavar="[NAME:]TAG", multiple=True, help="A further name of the image.")
@click.option("--cache-to", metavar="DEST", multiple=True, help="Where the builder exports its cache to.")
@click.option("--cache-from", metavar="SRC", multiple=True, help="Where the builder looks for a cache.")
@click.option("--secret", "secrets", metavar="id=ID,src=FILE", multiple=True, help="Source of a build secret.")
@click.option(
    "--ca-bundle",
    metavar="FILE",
    default="",
    callback=not_empty,
    help="Certificates to trust: for the registry, and in the build where the image's secrets name ca-bundle.",
)
@click.option("--platform", metavar="OS/ARCH", default="", callback=not_empty, help="Build for this platform.")
@click.option("--no-cache", is_flag=True, help="Repeat every step.")
@click.option("--dry-run", is_flag=True, help="Print the builder's command lines.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@talk_options
def command(manifest: str, out: str, request: Request, form: str, **choices: Any) -> int:
    """Build the images that a manifest describes."""
    if out == STDOUT:
        raise UsageError(
            "images are built from the files in a folder", hint="name the folder of the last render: -o out"
        )
    choices["platform"] = platforms.read(choices["platform"])
    ui, findings = current_ui(), Findings()
    rendered = render_all([manifest], replace(request, lint=False, out=out), findings)
    Report(ui, "text").emit(findings)
    if not rendered:
        return 1
    wanted = _wanted(choices)
    images = _images(rendered[0], wanted)
    platforms.refuse_contradictions(images, choices["platform"])
    secrets = _secrets(choices["secrets"], choices["ca_bundle"], images)
    _require_files(images, secrets, choices["builder"], sif=choices["sif"])
    jobs = [_job(image, rendered[0], manifest, out, {**choices, "secrets": secrets}) for image in images]
    _require_one_name_each(jobs)
    if not choices["dry_run"]:
        _require_sources(images, secrets)
    _require_known(images, secrets)
    _require_able(jobs, choices)
    if choices["dry_run"]:
        plans = [(job, commands(job, meant(job.image, choices["builder"]), sif=choices["sif"])) for job in jobs]
        ui.data(building.dry_run(plans, form))
        return 0
    _require_fresh(rendered[0], images, out, render_command((manifest,), out, request))
    asked = building.Choices(form=form, builder=choices["builder"], sif=choices["sif"], ca_bundle=choices["ca_bundle"])
    return building.Building(ui, findings, asked).run(jobs)


def _wanted(choices: Mapping[str, Any]) -> tuple[str, ...]:
    named = (*choices["variants"], *(variant for variant in _VARIANTS if choices[variant]))
    if named and choices["every"]:
        raise UsageError(f"--all and --{named[0]} do not go together")
    return named


def _job(image: Image, rendered: Rendered, manifest: str, out: str, choices: Mapping[str, Any]) -> Job:
    return Job(
        image=image,
        dockerfile=(Path(out) / folder(image) / "Dockerfile").as_posix(),
        definition=(Path(out) / definition_path(image, rendered.manifest.name)).as_posix(),
        context=folder_of(manifest).as_posix(),
        tags=tuple(_further_name(image, tag) for tag in choices["tags"]),
        push=choices["push"],
        secrets=choices["secrets"],
        cache_to=choices["cache_to"],
        cache_from=choices["cache_from"],
        platform=choices["platform"],
        no_cache=choices["no_cache"],
        epoch=os.environ.get("SOURCE_DATE_EPOCH", ""),
    )


def _further_name(image: Image, text: str) -> str:
    reference = text if "/" in text or ":" in text else f"{image.repository}:{text}"
    place = location(reference)
    if place is None or place.digest:
        raise UsageError(f"`--tag {text}` is no name of an image", hint="write TAG, or NAME:TAG")
    return reference


def _require_one_name_each(jobs: Sequence[Job]) -> None:
    names: dict[str, str] = {}
    for job in jobs:
        for reference in job.references:
            if names.setdefault(reference, job.image.variant) != job.image.variant:
                message = f"`{reference}` would be two images: {names[reference]} and {job.image.variant}"
                raise UsageError(message, hint="choose one of them: --cuda or --rocm")


def _require_able(jobs: Sequence[Job], choices: Mapping[str, Any]) -> None:
    """Refuse what the builder cannot do. A build that may choose its builder finds out once it has one."""
    for job in jobs:
        refuse_unfit(job.image, choices["builder"])
        if choices["dry_run"] or choices["builder"] != "auto":
            builder = meant(job.image, choices["builder"])
            refuse_ignored(job, builder, choices["ca_bundle"])
            platforms.refuse_several(job, builder, sif=choices["sif"])


def _images(rendered: Rendered, variants: Sequence[str]) -> list[Image]:
    images = list(rendered.manifest.images.values())
    if not images:
        hint = "describe one: `mngen explain image`"
        raise UsageError("the manifest describes no image; it only uses ready ones", hint=hint)
    missing = set(variants) - {image.variant for image in images}
    if missing:
        raise UsageError(f"the manifest describes no image for {', '.join(sorted(missing))}")
    return [image for image in images if image.variant in variants or not variants]


def _secrets(options: Sequence[str], ca_bundle: str, images: Sequence[Image]) -> dict[str, str]:
    found: dict[str, str] = {}
    for option in options:
        name, comma, source = option.removeprefix("id=").partition(",")
        if not option.startswith("id=") or not comma or not source.startswith(("src=", "env=")):
            raise UsageError(f"`--secret {option}` is not of the form id=ID,src=FILE or id=ID,env=NAME")
        found[name] = source
    if ca_bundle and any(CERTIFICATES in secret_ids(image) for image in images):
        found.setdefault(CERTIFICATES, f"src={ca_bundle}")
    return found


def _require_sources(images: Sequence[Image], secrets: Mapping[str, str]) -> None:
    missing = sorted(_wanted_secrets(images) - secrets.keys())
    if missing:
        hint = " ".join(f"--secret id={name},src=FILE" for name in missing)
        raise UsageError(f"no source for the build secrets {', '.join(missing)}", hint=f"add {hint}")


def _require_known(images: Sequence[Image], secrets: Mapping[str, str]) -> None:
    wanted = _wanted_secrets(images)
    unknown = sorted(secrets.keys() - wanted)
    if unknown:
        hint = f"they read {', '.join(sorted(wanted))}" if wanted else "leave it out, or name it in `image.secrets`"
        raise UsageError(f"no image reads the build secrets {', '.join(unknown)}", hint=hint)


def _wanted_secrets(images: Sequence[Image]) -> set[str]:
    return {name for image in images for name in secret_ids(image)}


def _require_files(images: Sequence[Image], secrets: Mapping[str, str], builder: str, *, sif: bool) -> None:
    """Refuse what Apptainer cannot bind: it has no secrets, only files shown to the build and to tests of a SIF."""
    tested = {name for image in images if sif for name in tested_ids(image)}
    for name in secrets if builder == "apptainer" else sorted(tested & secrets.keys()):
        source = secrets[name]
        if not source.startswith("src="):
            raise UsageError(
                f"`--secret id={name},{source}`: Apptainer takes build secrets from files alone",
                hint=f"write it to a file that only you can read, and give --secret id={name},src=FILE",
            )


def _require_fresh(rendered: Rendered, images: Sequence[Image], out: str, repair: str) -> None:
    """Refuse to build from files that are not what the manifest renders; those of other images do not matter."""
    folders = tuple(f"{folder(image)}/" for image in images)
    changes = compare(rendered.tree, Path(out)).changes
    stale = [Path(out) / change.path for change in changes if change.path.startswith(folders)]
    if stale:
        raise FindingsError(
            tuple(
                Diagnostic("MN601", Severity.ERROR, f"`{path}` is not up to date", Span(str(path)), f"run `{repair}`")
                for path in stale
            )
        )
