"""What the clients are given: the files of every golden example, of every example of the schema, and broken ones."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from mngen import render, targets
from mngen.diagnostics import Severity
from mngen.manifest.load import LoadOptions, load
from mngen.manifest.model import Manifest, Target

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "targets"))

import documents as examples  # noqa: E402 - its folder must be on the path first
import field_cases  # noqa: E402 - as above

KINDS = ("skypilot", "dstack")
ARGUMENTS = ["a b", "$x", "it's", "${{ x }}", "$$", "--flag=1"]
"""What a user may give after `dstack apply … --`."""


@dataclass(frozen=True)
class Document:
    """One file for a client, with the target that it is of; ``folder`` is where it lies on disk, if anywhere."""

    name: str
    text: str
    target: Target | None = None
    folder: Path | None = None
    secrets: tuple[str, ...] = field(default=())


def documents(kind: str, scratch: Path) -> Iterator[Document]:
    """Yield every document of a kind that mngen should write so that its client takes it."""
    yield from _goldens(kind, scratch)
    for name, (fields, _) in examples.TASKS[kind].items():
        manifest, _ = examples.read(kind, fields)
        yield from _rendered(manifest, kind, f"test {name}")
    seen = set()
    for place, value, case_kind in field_cases.cases():
        data = field_cases.manifest(place, value, kind) if case_kind == kind else None
        if data is None:
            continue
        manifest = _manifest(json.dumps(data), lambda _: "env: {SITE: lumi}\n")
        for document in _rendered(manifest, kind, f"schema {place.path}") if manifest else ():
            if document.text not in seen:
                seen.add(document.text)
                yield document


def _goldens(kind: str, scratch: Path) -> Iterator[Document]:
    for path in sorted((ROOT / "golden").glob("*/manifest.yaml")):
        folder = scratch / path.parent.name
        shutil.copytree(path.parent, folder, ignore=shutil.ignore_patterns("out"))
        manifest = _manifest(path.read_text(encoding="utf-8"), partial(_sibling, path.parent))
        if manifest is None:
            raise ValueError(f"{path} has errors")
        yield from _rendered(manifest, kind, f"golden {path.parent.name}", folder / "out")


def _sibling(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


def _manifest(text: str, read: Callable[[str], str]) -> Manifest | None:
    """Return a manifest; None when it is refused, as some examples are on kinds that they are not for."""
    loaded = load(text, "manifest.yaml", LoadOptions(read=read))
    manifest = loaded.manifest
    found = [*loaded.diagnostics, *(targets.notes(manifest) if manifest else ())]
    return None if any(item.severity is Severity.ERROR for item in found) else manifest


def _rendered(manifest: Manifest, kind: str, name: str, out: Path | None = None) -> Iterator[Document]:
    wanted = {target.name: target for target in manifest.targets if target.kind == kind}
    if not wanted:
        return
    for file in render.render(targets.plan(manifest), digest="").files:
        if out is not None:
            (out / file.path).parent.mkdir(parents=True, exist_ok=True)
            (out / file.path).write_text(file.text, encoding="utf-8")
        if file.group in wanted and file.path.endswith((".yaml", ".yml")):
            target = wanted[file.group]
            secrets = tuple(yaml.safe_load(file.text).get("secrets") or ()) if kind == "skypilot" else ()
            folder = out / file.group if out else None
            yield Document(f"{name}: {file.path}", file.text, target, folder, secrets)


def broken(kind: str, text: str) -> Iterator[Document]:
    """Yield copies of a good task, each with one fault, to prove that the client looks."""
    for path, value in _FAULTS[kind].items():
        data = yaml.safe_load(text)
        node: Any = data
        *parents, last = path.split(".")
        for key in parents:
            node = node.setdefault(key, {})
        node[last] = value
        yield Document(f"fault {path}: {value}", yaml.safe_dump(data))


_FAULTS: dict[str, dict[str, Any]] = {
    "skypilot": {
        "num_nodes": "2",
        "name": "-train",
        "runn": "true",
        "resources.config": {"docker": {"run_options": ["--shm-size=1g"]}},
        "resources.memory": "64GiB",
        "resources.acelerators": "H100:8",
        "resources.job_recovery": {"strategy": "FAILOVER", "max_restart": 3},
        "config.dockr": {"run_options": []},
        "secrets.SKYPILOT_DOCKER_USERNAME": "me",
        "envs.EMPTY": None,
        "file_mounts./data": {"source": "s3://bucket", "mod": "MOUNT"},
        "volumes": ["/data"],
    },
    "dstack": {
        "nodes": 0,
        "name": "Train",
        "comands": ["true"],
        "secrets": ["HF_TOKEN"],
        "shell": "dash",
        "resources.shm_size": "128g",
        "resources.gpus": 8,
        "resources.gpu": "nvidia:H100:8:8",
        "volumes": ["data:relative"],
        "env": {"EMPTY": None},
        "commands": ["echo ${{ env.HOME }}"],
        "stop_criteria": "head-done",
    },
}
