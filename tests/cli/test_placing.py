"""Generated files find the manifest's folder, wherever they are written, and name the command that gives them again."""

from __future__ import annotations

import io
import os
import re
import subprocess
import tarfile
from pathlib import Path

import pytest
import yaml

MANIFEST = """\
apiVersion: mngen/v1
name: {name}
resources: {{nodes: 2, gpus: 8, gpu_type: h100, shm: 64G}}
image:
  repository: registry.example.org/rl/verl
  variants: {{cuda: {{tag: "1-cuda", base: "nvidia/cuda:12.8.1-devel-ubuntu24.04"}}}}
  pip: {{packages: ["ray==2.52.1"]}}
code: {{path: src, to: /code}}
driver: {{command: python3 train.py}}
targets:
  hpc: {{kind: slurm, runtime: docker}}
  cloud: {{kind: skypilot}}
  fleet: {{kind: dstack}}
"""
OUT = Path("proj/out")
FORMS = {
    "beside the manifest": ("proj", ["m.yaml", "-o", "out"], OUT),
    "the manifest's own folder": ("proj", ["m.yaml", "-o", "."], Path("proj")),
    "below": ("proj", ["m.yaml", "-o", "a b/c'd/e"], Path("proj/a b/c'd/e")),
    "above": ("proj/src", ["../m.yaml", "-o", "../.."], Path()),
    "beside its folder": ("proj", ["m.yaml", "-o", "../made"], Path("made")),
    "from another folder": ("", ["proj/m.yaml", "-o", "out"], Path("out")),
    "from a folder below": ("proj/src", ["../m.yaml", "-o", "../out"], OUT),
    "absolute": ("proj", ["m.yaml", "-o", "{tmp}/else/where"], Path("else/where")),
    "absolute manifest": ("else", ["{tmp}/proj/m.yaml", "-o", "out"], Path("else/out")),
    "through a link": ("proj", ["m.yaml", "-o", "link"], Path("far/away")),
    "manifest through a link": ("", ["short/m.yaml", "-o", "out"], Path("out")),
    "standard input": ("proj", ["-", "-o", "made"], Path("proj/made")),
    "several": ("", ["proj/m.yaml", "proj/other.yaml", "-o", "all"], Path("all/job")),
}


@pytest.fixture
def proj(tmp_path: Path) -> Path:
    for folder in ("proj/src", "else", "far/away"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "proj/m.yaml").write_text(MANIFEST.format(name="job"))
    (tmp_path / "proj/other.yaml").write_text(MANIFEST.format(name="other"))
    (tmp_path / "proj/link").symlink_to("../far/away")
    (tmp_path / "short").symlink_to("proj")
    return tmp_path / "proj"


def submitted_from(script: Path, tmp_path: Path) -> str:
    """Run a submit.sh from a folder of no meaning; return the folder that sbatch is started in."""
    stub = tmp_path / "bin/sbatch"
    stub.parent.mkdir(exist_ok=True)
    stub.write_text('#!/bin/sh\npwd -P >"$HOME/started"\necho 7\n')
    stub.chmod(0o755)
    environment = {"PATH": f"{stub.parent}:/usr/bin:/bin", "HOME": str(tmp_path)}
    subprocess.run([script], cwd="/", env=environment, check=True, capture_output=True)
    return (tmp_path / "started").read_text().rstrip("\n")


def words_of(command: str) -> list[str]:
    """Return what bash makes of a command line."""
    done = subprocess.run(["bash", "-c", f"printf '%s\\0' {command}"], check=True, capture_output=True, text=True)
    return done.stdout.split("\0")[:-1]


def again(mngen, root: Path, manifest: Path, path: str = "hpc/job.sbatch") -> str:
    """Run the command that a file's header names, in the manifest's folder, as a check."""
    lines = (root / path).read_text().split("\n")
    (command,) = [line.lstrip("# ") for line in lines if "mngen render" in line]
    here = Path.cwd()
    os.chdir(manifest.parent)
    try:
        result = mngen(*words_of(command)[1:], "--check", "--no-lint")
    finally:
        os.chdir(here)
    assert result.status == 0, result.err
    return command


@pytest.mark.parametrize("form", FORMS)
def test_files_lead_to_the_manifest_and_name_the_command_that_makes_them(
    mngen, proj, tmp_path, monkeypatch, form
) -> None:
    start, arguments, place = FORMS[form]
    root = tmp_path / place
    with monkeypatch.context() as there:
        there.chdir(tmp_path / start)
        words = [word.format(tmp=tmp_path) for word in arguments]
        stdin = (proj / "m.yaml").read_text() if "-" in words else None
        done = mngen("render", "--no-lint", *words, stdin=stdin)
    assert done.status == 0, done.err
    for called in {root, tmp_path / "proj/link"} if form == "through a link" else {root}:
        assert submitted_from(called / "hpc/submit.sh", tmp_path) == str(proj)
    task = yaml.safe_load((root / "cloud/task.sky.yaml").read_text())
    assert (root / "cloud" / task["workdir"]).resolve() == proj / "src"
    (*_, files) = yaml.safe_load((root / "fleet/task.dstack.yml").read_text())["files"]
    assert (root / "fleet" / files.rpartition(":")[0]).resolve() == proj / "src"
    readme = (root / "README.md").read_text()
    (build,) = re.findall(r"(?m)^docker buildx build (?:.*\\\n)*.*", readme)
    words = words_of(build.replace("\\\n", ""))
    assert (proj / words[words.index("--file") + 1]).resolve() == (root / "images/cuda/Dockerfile").resolve()
    if stdin is None:
        again(mngen, root, proj / "m.yaml")


def test_what_was_laid_over_the_manifest_is_in_the_command(mngen, proj, tmp_path) -> None:
    (tmp_path / "site.yaml").write_text("env: {B: x}\n")
    laid = ["--overlay", "site.yaml", "--set", "env.C=a `b` 'c' \n#", "--target", "hpc", "--target", "fleet"]
    assert mngen("render", "--no-lint", "proj/m.yaml", *laid[:4], "-o", "proj/out").status == 0
    command = again(mngen, proj / "out", proj / "m.yaml", "cloud/task.sky.yaml")
    assert command.startswith("mngen render m.yaml --overlay ../site.yaml --set ")
    # Some targets alone are the same bytes: which ones were asked for is no part of a file.
    assert mngen("render", "--no-lint", "proj/m.yaml", *laid, "-o", "proj/out", "--check").status == 0
    readme = (proj / "out/README.md").read_text()
    assert "`mngen build-image m.yaml --overlay ../site.yaml --set $'env.C=a \\x60b\\x60 \\'c\\' \\n#'`" in readme
    assert mngen("build-image", "proj/m.yaml", *laid[:4], "-o", "proj/out", "--dry-run").status == 0


def test_standard_output_holds_what_the_default_folder_would(mngen, proj) -> None:
    assert mngen("render", "--no-lint", "proj/m.yaml").status == 0
    stream = mngen("render", "--no-lint", "proj/m.yaml", "-o", "-").raw
    with tarfile.open(fileobj=io.BytesIO(stream)) as archive:
        for member in archive:
            packed = archive.extractfile(member)
            assert packed is not None
            assert packed.read() == (Path("out") / member.name).read_bytes()


def test_a_folder_that_is_no_text_is_refused(mngen, proj) -> None:
    result = mngen("render", "--no-lint", "proj/m.yaml", "-o", "\udcff/out")
    assert result.status == 2
    assert "UTF-8" in result.err


def test_a_link_to_nothing_is_no_output_folder(mngen, manifest) -> None:
    Path("out").symlink_to("nowhere")
    result = mngen("render", "--no-lint", manifest)
    assert result.status == 2
    assert "`out` is a link that leads nowhere" in result.err


def test_an_empty_output_folder_is_wrong_usage(mngen, manifest) -> None:
    result = mngen("render", "--no-lint", manifest, "-o", "")
    assert result.status == 2
    assert "it is empty" in result.err
    assert not Path("README.md").exists()


@pytest.mark.parametrize("force", [[], ["--force"], ["--dry-run"]])
@pytest.mark.parametrize("way", ["manifest", "overlay", "site", "linked folder", "link to it", "inventory"])
def test_an_output_that_is_an_input_is_refused(mngen, manifest, tmp_path, way, force) -> None:
    text, out = Path(manifest).read_text(), "s5"
    Path("s5").mkdir()
    file, words = "s5/README.md", ["s5/README.md"]
    if way == "overlay":
        words = [str(manifest), "--overlay", file]
    if way == "site":
        Path(manifest).write_text(text.replace("first: {kind", "first: {site: s5/README.md, kind"))
        words = [str(manifest)]
    if way == "linked folder":
        Path("link").symlink_to("s5")
        out = "link"
    if way == "link to it":
        Path("m.yaml").symlink_to(file)
        words = ["m.yaml"]
    if way == "inventory":
        file = "s5/.mngen.json"
        words = [file]
    Path(file).write_text(text if way not in {"overlay", "site"} else "workdir: /x\n")
    before = Path(file).read_bytes()
    result = mngen("render", "--no-lint", *words, "-o", out, *force)
    assert result.status == 2
    assert "would be overwritten, and `" in result.err
    assert "--force does not overwrite it" in result.err
    assert Path(file).read_bytes() == before
    assert [path.name for path in Path("s5").iterdir()] == [Path(file).name]


def test_an_input_beside_outputs_and_a_link_to_one_are_no_matter(mngen, manifest) -> None:
    Path("s5").mkdir()
    Path("s5/job.yaml").write_text(Path(manifest).read_text())
    Path("s5/README.md").symlink_to("job.yaml")
    assert mngen("render", "--no-lint", "s5/job.yaml", "-o", "s5", "--force").status == 0
    assert Path("s5/job.yaml").read_text() == Path(manifest).read_text()
    assert not Path("s5/README.md").is_symlink()
