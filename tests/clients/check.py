"""Has the real SkyPilot and dstack clients load what mngen writes; `make clients` runs this.

Each client gets an environment of its own below .cache/clients, made once for each requirements file. Loading
needs no network, no server and no cloud account, and happens with an empty home folder.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import inputs
from inputs import ARGUMENTS, KINDS, ROOT, Document

from mngen.targets import machine
from mngen.targets.mirroring import mirrored_target

HERE = Path(__file__).resolve().parent
CACHE = ROOT / ".cache" / "clients"


def environment(kind: str) -> Path:
    """Return the Python of a client's environment, made from its requirements when they or Python changed."""
    wanted = HERE / f"requirements-{kind}.txt"
    folder, python = CACHE / kind, CACHE / kind / "bin" / "python"
    key = hashlib.sha256(wanted.read_bytes() + sys.version.encode()).hexdigest()
    mark = folder / "made-from"
    if mark.exists() and mark.read_text() == key:
        return python
    venv.create(folder, clear=True, with_pip=True)
    # All versions are pinned, so nothing has to be resolved.
    install = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-compile",
        "--requirement",
        str(wanted),
    ]
    subprocess.run(install, check=True)
    mark.write_text(key)
    return python


def ask(kind: str, python: Path, documents: Sequence[Document], scratch: Path) -> dict[str, Any]:
    """Return what the client says of documents."""
    question, answer = scratch / f"{kind}.json", scratch / f"{kind}.answer.json"
    items = [{"name": d.name, "text": d.text, "secrets": d.secrets, "arguments": ARGUMENTS} for d in documents]
    question.write_text(json.dumps(items))
    home = scratch / f"home-{kind}"
    home.mkdir(exist_ok=True)
    env = {"PATH": os.defpath, "HOME": str(home), "SKYPILOT_DISABLE_USAGE_COLLECTION": "1", "LANG": "C.UTF-8"}
    command = [str(python), str(HERE / f"load_{kind}.py"), str(question), str(answer)]
    subprocess.run(command, check=True, env=env, cwd=home)
    found: dict[str, Any] = json.loads(answer.read_text())
    return found


def misread(kind: str, document: Document, seen: dict[str, Any]) -> list[str]:
    """Return where the client understood something else than the manifest says."""
    if document.target is None:
        return []
    target = mirrored_target(document.target)
    resources = target.resources
    memory = machine.memory_gibibytes(resources.memory, resources.cpus, resources.gpus)
    wanted: dict[str, Any] = {"nodes": resources.nodes, "gpus": resources.gpus}
    image = machine.image(target)
    if kind == "skypilot":
        wanted |= {"image": image and f"docker:{image}", "memory": memory and f"{memory}+"}
    elif seen["type"] == "task":
        # A cluster that waits for drivers has no use for a driver's arguments.
        given = ARGUMENTS if target.driver.submit_from == "head" else []
        wanted |= {"image": image, "commands": [shlex.join(["bash", "/mngen/boot.sh", *given])]}
    if kind == "dstack":
        wanted |= {"memory": float(memory or 8), "vendor": _vendor(target) if resources.gpus else None}
    wrong = [f"{key}: {seen[key]!r}, not {value!r}" for key, value in wanted.items() if seen[key] != value]
    return wrong + [f"no such file: {path}" for path in _missing(document, seen["paths"])]


def _vendor(target: Any) -> str:
    return "nvidia" if target.variant.value == "cuda" else "amd"


def _missing(document: Document, paths: Sequence[str]) -> list[str]:
    """Return paths relative to the target's folder that are not there; others are on the user's machine."""
    if document.folder is None:
        return []
    local = [path for path in paths if not path.startswith(("/", "~")) and "://" not in path]
    return [path for path in local if not (document.folder / path).exists()]


def wrapped(kind: str, seen: dict[str, Any], scratch: Path) -> list[str]:
    """Run a task's command as the client's node does, with a script in boot.sh's place; return what is wrong."""
    home = scratch / "wrapped" / kind
    (home / "sky_workdir").mkdir(parents=True)
    script = home / "mngen-boot.sh"
    script.write_text('printf "%s\\0" "$@" >"${HOME}/arguments"\nexit 7\n')
    if kind == "skypilot":
        file = home / "sky_app"
        file.write_text(seen["script"])
        command = ["bash", "-i", str(file)]
    else:
        # How dstack joins commands: _join_shell_commands in dstack's server/services/jobs/configurators/base.py.
        text = " && ".join(seen["commands"]).replace("/mngen/boot.sh", str(script))
        command = ["bash", "-i", "-c", text]
    env = {"PATH": os.environ["PATH"], "HOME": str(home)}
    done = subprocess.run(command, env=env, cwd=home, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    given = (home / "arguments").read_text().split("\0")[:-1]
    wanted = ARGUMENTS if kind == "dstack" else [""]
    wrong = [] if done.returncode == 7 else [f"the wrapper ends with {done.returncode}, not with the script's 7"]
    return wrong + ([] if given == wanted else [f"the script got {given}, not {wanted}"])


def check(kind: str) -> bool:
    """Check one client; print what it found and counts."""
    python = environment(kind)
    with tempfile.TemporaryDirectory(prefix="mngen-clients-") as name:
        scratch = Path(name)
        good = list(inputs.documents(kind, scratch))
        bad = list(inputs.broken(kind, next(d.text for d in good if "task" in d.name.rpartition("/")[2])))
        answer = ask(kind, python, [*good, *bad], scratch)
        results = answer["files"]
        complaints = [f"{item['name']}: {item['error']}" for item in results[: len(good)] if item["error"]]
        for document, item in zip(good, results, strict=False):
            if item["seen"]:
                complaints += [f"{document.name}: {wrong}" for wrong in misread(kind, document, item["seen"])]
        complaints += [f"{item['name']} is accepted" for item in results[len(good) :] if not item["error"]]
        complaints += wrapped(kind, next(item["seen"] for item in results if item["seen"]), scratch)
    counts = {part: sum(document.name.startswith(part) for document in good) for part in ("golden", "test", "schema")}
    sys.stderr.write("".join(f"{complaint}\n" for complaint in complaints))
    sys.stdout.write(
        f"{kind} {answer['version']}: {len(good)} files ({counts['golden']} of golden/, {counts['test']} of tests/targets, "
        f"{counts['schema']} of the schema's examples), {len(bad)} broken ones; {len(complaints)} complaints\n"
    )
    return not complaints


def main() -> int:
    """Check the clients named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=KINDS, metavar="|".join(KINDS))
    kinds = parser.parse_args().kinds
    with ThreadPoolExecutor() as pool:
        list(pool.map(environment, kinds))
    return 1 if [kind for kind in kinds if not check(kind)] else 0


if __name__ == "__main__":
    sys.exit(main())
