"""``mngen inspect``."""

from __future__ import annotations

from collections.abc import Iterator

import click

from mngen.build.engines import require_libraries
from mngen.build.inspecting import Seen, look
from mngen.cli.options import layer_options, not_empty, talk_options
from mngen.cli.pipeline import load_all
from mngen.cli.reporting import Findings, Report
from mngen.cli.request import Request
from mngen.cli.ui import current_ui
from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.errors import UsageError
from mngen.images import contract
from mngen.manifest.image import Image
from mngen.manifest.model import Manifest

_EPILOG = """\b
Examples:
  mngen inspect registry.example.org/rl/verl:0.6-cuda
  mngen inspect registry.example.org/rl/verl:0.6-cuda manifest.yaml
  mngen inspect out/images/cuda/job.sif manifest.yaml --format json

Looks in the registry first, then in the engines of this machine. With a manifest, the exit status is 1 when the image
is not what the manifest describes; what the job would find out on its nodes is found out here.
"""

_FIELDS = {
    "ray": "pip.packages",
    "python": "python",
    "torch": "torch.version",
    "toolkit": "toolkit",
    "gpu-arch": "gpu_arch",
    "digest": "",
}
"""Where the manifest says what a fact should be."""


@click.command("inspect", epilog=_EPILOG)
@click.argument("image", metavar="IMAGE|SIF", callback=not_empty)
@click.argument("manifest", metavar="[MANIFEST]", default="", required=False, callback=not_empty)
@layer_options
@click.option("--ca-bundle", metavar="FILE", default="", callback=not_empty, help="Certificates to trust.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@talk_options
def command(image: str, manifest: str, request: Request, form: str, ca_bundle: str) -> int:
    """Compare what an image says of itself with a manifest."""
    require_libraries()
    ui, findings = current_ui(), Findings()
    loaded = load_all([manifest], request, findings) if manifest else []
    Report(ui, "text").emit(findings)
    if findings.fail(strict=False):
        return 1
    seen = look(image, ca_bundle)
    found = Findings(sources=findings.sources)
    if loaded and loaded[0].manifest is not None:
        found.add(tuple(_differences(seen, loaded[0].manifest)))
    if form == "json":
        Report(ui, "json").emit(found, {"image": _data(seen)})
    else:
        ui.data(_text(seen))
        Report(ui, "text").emit(found)
    return int(found.fail(strict=False))


def _differences(seen: Seen, manifest: Manifest) -> Iterator[Diagnostic]:
    if not seen.facts:
        message = f"`{seen.name}` has no contract; it was not built from a manifest"
        hint = "launch files that expect one start all the same, and say so; build it with `mngen build-image`"
        yield Diagnostic("MN609", Severity.ERROR, message, Span(manifest.file), hint)
        return
    image = next((one for one in manifest.images.values() if one.variant == seen.facts.get("variant")), None)
    if image is None:
        known = ", ".join(one.variant for one in manifest.images.values())
        hint = f"it describes {known}" if known else "it only uses ready images"
        raise UsageError(f"the manifest describes no image for {seen.facts.get('variant', 'this variant')}", hint=hint)
    yield from _facts_that_differ(seen, image)


def _facts_that_differ(seen: Seen, image: Image) -> Iterator[Diagnostic]:
    prefix = f"{contract.LABEL_PREFIX}."
    wanted = {
        name.removeprefix(prefix): value for name, value in contract.labels(image).items() if name.startswith(prefix)
    }
    for name in dict.fromkeys((*wanted, *seen.facts)):
        there, asked = seen.facts.get(name, "none"), wanted.get(name, "none")
        if there != asked:
            hint = "build and push it again, or take the manifest that it was built from"
            message = f"{name}: `{seen.name}` has {there}, the manifest describes {asked}"
            yield Diagnostic("MN608", Severity.ERROR, message, image.span(_FIELDS.get(name, name)), hint)


def _text(seen: Seen) -> str:
    rows = {"found in": seen.where, "registry digest": seen.digest, **seen.facts}
    base = "org.opencontainers.image.base"
    rows |= {"base": seen.labels.get(f"{base}.name", ""), "base digest": seen.labels.get(f"{base}.digest", "")}
    if seen.torch:
        build = f"HIP {seen.torch['hip']}" if seen.torch.get("hip") else f"CUDA {seen.torch.get('cuda')}"
        rows["torch inside"] = f"{seen.torch.get('version')} ({build})"
    width = max(len(name) for name in rows)
    lines = [f"  {name:<{width}}  {value}" for name, value in rows.items() if value]
    return "\n".join([seen.name, *lines]) + "\n"


def _data(seen: Seen) -> dict[str, object]:
    return {
        "name": seen.name,
        "where": seen.where,
        "digest": seen.digest or None,
        "facts": seen.facts,
        "labels": dict(seen.labels),
        "torch": dict(seen.torch) or None,
    }
