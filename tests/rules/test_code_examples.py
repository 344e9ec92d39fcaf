"""What `mngen explain CODE` shows as the mistake is one: a manifest or file with it gives that code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from mngen import render, targets
from mngen.checks.foreign.document import Document
from mngen.checks.foreign.lint import check_together
from mngen.checks.foreign.reader import read_document
from mngen.checks.tree import CheckOptions, check_tree
from mngen.cli import copied_files
from mngen.codes import CODES
from mngen.codes.labels import CURED, label, shows_mistake
from mngen.manifest.load import LoadOptions, load

SHOWN = sorted(code for code, entry in CODES.items() if entry.example and shows_mistake(code))
OF_MANIFESTS = [code for code in SHOWN if code[2] in "12348"]
LATER = ("MN404", "MN820")
"""Said of rendered files, and of what stands beside the manifest."""
OF_FILES = [code for code in SHOWN if code[2] in "79"]
HEAD = {"apiVersion": "mngen/v1", "name": "example", "resources": {"nodes": 2, "gpus": 8, "cpus": 64}}
DRIVER = {"command": ["python3", "t.py"]}
BASE = "nvidia/cuda:12.8.1-devel-ubuntu24.04"
DESCRIBED = {"repository": "r.example.org/a", "variants": {"cuda": {"tag": "1", "base": BASE}}}
ITS_OWN = ("variant", "runtime")
OF_IMAGES = ("variants", "files", "pip", "git", "stages")


def places() -> Iterator[dict[str, Any]]:
    """Yield targets, and with them the image of each."""
    ready = {"ref": "registry.example.org/a:1"}
    for variant in ("cuda", "rocm"):
        for runtime in ("docker", "apptainer", "pyxis", "none"):
            image = {} if runtime == "none" else {"image": {"sif": "/x.sif"} if runtime == "apptainer" else ready}
            yield {"targets": {"t": {"kind": "slurm", "runtime": runtime, "variant": variant, **image}}}
        for kind in ("skypilot", "dstack", "manual"):
            yield {"targets": {"t": {"kind": kind, "variant": variant, "image": ready}}}
    yield {"targets": {"t": {"kind": "slurm", "runtime": "docker"}}, "image": DESCRIBED}


def manifests(example: str) -> Iterator[str]:
    """Yield manifests with an example in its place: as it is written, and laid over others."""
    text = example.replace("hf_…", f"hf_{'aB1' * 12}").replace("…", "x")
    keys = [line.partition(":")[0] for line in text.split("\n")]
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError:
        data = None
    for place in places():
        whole = {"driver": DRIVER, **HEAD, **place}
        yield yaml.safe_dump({key: one for key, one in whole.items() if key not in keys}) + text + "\n"
        if isinstance(data, dict):
            yield yaml.safe_dump(laid(whole, placed(data)), sort_keys=False)


def placed(data: dict[str, Any]) -> dict[str, Any]:
    """Return fields where they belong that an example shows without what is around them."""
    found = {key: one for key, one in data.items() if key not in {*OF_IMAGES, *ITS_OWN, "args", "base"}}
    own = {key: data[key] for key in ITS_OWN if key in data}
    image = {key: data[key] for key in OF_IMAGES if key in data}
    image = laid(image, {"variants": {"cuda": {"base": data["base"]}}}) if "base" in data else image
    found = laid(found, {"targets": {"t": own}}) if own else found
    found = laid(found, {"image": image}) if image else found
    return laid(found, {"driver": {"args": data["args"]}}) if "args" in data else found


def laid(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, one in above.items():
        both = isinstance(one, dict) and isinstance(merged.get(key), dict)
        merged[key] = laid(merged[key], one) if both else one
    return merged


def codes(text: str, *sets: str, rendered: bool = False) -> set[str]:
    """Return the codes of all that is said of a manifest, if asked also once its files are there."""
    loaded = load(text, "m.yaml", LoadOptions(sets=sets))
    found = {one.code for one in loaded.diagnostics}
    if loaded.manifest is None:
        return found
    found |= {one.code for one in targets.notes(loaded.manifest)}
    if rendered:
        files = render.render(targets.plan(loaded.manifest), digest="").files
        found |= {one.code for one in check_tree(files, CheckOptions(lint=False))}
        found |= {one.code for one in copied_files.findings(loaded.manifest, Path())}
    return found


@pytest.mark.parametrize("code", OF_MANIFESTS)
def test_the_mistake_in_a_manifest_gives_its_code(code):
    example = CODES[code].example
    if example.startswith("--set "):
        assert code in codes(next(manifests("")), example.removeprefix("--set "))
    else:
        later = code in LATER
        assert any(code in codes(text, rendered=later) for text in manifests(example))


@pytest.mark.parametrize("code", sorted(code for code in CURED if code[2] in "12348"))
def test_what_to_write_in_a_manifest_does_not(code):
    assert not all(code in codes(text) for text in manifests(CODES[code].example))


FORMS = {
    "job.sbatch": ("#!/bin/bash\n#SBATCH --nodes=2\nset -euo pipefail\n{}\n", "#!/bin/bash\n{}\nsrun python3 train.py\n", "{}\n"),
    "Dockerfile": ("FROM ubuntu:24.04\n{}\n", "{}\n"),
    "task.sky.yaml": ("num_nodes: 2\n{}\n", "{}\n"),
    "run.sh": ("#!/bin/bash\npython3 -m verl.trainer.main_ppo {}\n",),
}  # fmt: skip


def documents(example: str) -> Iterator[list[Document]]:
    """Yield files with an example in its place; one that names files line by line is several."""
    named = [line.partition(":") for line in example.split("\n")]
    if all(name in {"setup.py", "Dockerfile"} for name, _, _ in named):
        yield [
            read_document(f"{'FROM a/b:1' if name == 'Dockerfile' else ''}\n{text.strip()}\n", name)
            for name, _, text in named
        ]
    yield [read_document("FROM a/b:1\n", "docker/Dockerfile"), read_document(f"{example}\n", "README.md")]
    for name, forms in FORMS.items():
        yield from ([read_document(form.replace("{}", example), name)] for form in forms)


@pytest.mark.parametrize("code", OF_FILES)
def test_the_mistake_in_a_file_gives_its_code(code):
    found = [one.code for given in documents(CODES[code].example) for one in check_together(given, lint=False)]
    assert code in found


def test_each_label_is_used():
    assert {label(code) for code in CODES if CODES[code].example} == {
        "The mistake",
        "What to write",
        "The mistake, and what to write",
    }
    assert sorted(code for code in CURED if not CODES[code].example) == []
