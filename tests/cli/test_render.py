"""``render`` and ``diff``: what is written where, and when nothing is."""

from __future__ import annotations

import io
import json
import os
import subprocess
import tarfile
from pathlib import Path

import pytest


def files(root: str | Path = "out") -> set[str]:
    return {path.relative_to(root).as_posix() for path in Path(root).rglob("*") if path.is_file()}


@pytest.fixture
def rendered(mngen, manifest) -> Path:
    assert mngen("render", "--no-lint", manifest).status == 0
    return Path("out")


def test_render_writes_and_says_so_on_stderr(mngen, manifest) -> None:
    result = mngen("render", "--no-lint", manifest, "-o", "out")
    assert result.status == 0
    assert result.out == ""
    assert result.err.startswith("out: wrote ")
    assert {"first/job.sbatch", "second/job.sbatch", "README.md", ".mngen.json"} <= files()


def test_a_second_render_changes_nothing(mngen, manifest, rendered) -> None:
    assert mngen("render", "--no-lint", manifest).err == "out: up to date\n"
    assert mngen("render", "--no-lint", manifest, "--check").status == 0


def test_quiet_and_verbose(mngen, manifest) -> None:
    assert "wrote out/first/job.sbatch\n" in mngen("render", "-v", "--no-lint", manifest).err
    assert mngen("-q", "render", "--no-lint", manifest, "-o", "other").err == ""


def test_one_target_alone(mngen, manifest) -> None:
    assert mngen("render", "--no-lint", manifest, "--target", "second").status == 0
    assert {path.split("/")[0] for path in files()} == {"second", ".mngen.json"}


def test_one_target_leaves_the_others_alone(mngen, manifest, rendered) -> None:
    before = Path("out/first/job.sbatch").read_bytes()
    result = mngen("render", "--no-lint", manifest, "--target", "second", "--set", "resources.nodes=3")
    assert result.status == 0
    assert Path("out/first/job.sbatch").read_bytes() == before


def test_drift_is_status_1_and_names_the_repair(mngen, manifest, rendered) -> None:
    Path(manifest).write_text(Path(manifest).read_text().replace("train.py", "other.py"))
    result = mngen("render", "--no-lint", manifest, "--check")
    assert result.status == 1
    assert "error[MN501]: `first/job.sbatch` is out of date" in result.err
    assert "run `mngen render job.yaml -o out`" in result.err
    assert ".mngen.json" not in result.err  # it follows the others
    assert mngen("render", "--no-lint", manifest).status == 0
    assert mngen("render", "--no-lint", manifest, "--check").status == 0


def test_a_missing_file_and_a_lost_mode_are_drift(mngen, manifest, rendered) -> None:
    (rendered / "README.md").unlink()
    (rendered / "first/job.sbatch").chmod(0o600)
    result = mngen("diff", "--no-lint", manifest)
    assert result.status == 1
    assert "error[MN501]: `README.md` is missing" in result.err
    assert "error[MN503]: `first/job.sbatch` has mode 0600 instead of 0755" in result.err


def test_a_removed_target_is_drift_until_its_files_are_gone(mngen, manifest, rendered) -> None:
    text = "".join(line for line in Path(manifest).read_text().splitlines(keepends=True) if "second" not in line)
    Path(manifest).write_text(text)
    assert "error[MN502]: `second/job.sbatch` has no source any more" in mngen("diff", "--no-lint", manifest).err
    assert (
        "removed 3 files (second/attach.sh, second/job.sbatch, second/submit.sh)"
        in mngen("render", "--no-lint", manifest).err
    )
    assert not Path("out/second").exists()


def test_the_repairing_command_repeats_the_options(mngen, manifest) -> None:
    Path("over.yaml").write_text("env: {B: x}\n")
    result = mngen(
        "render", "--no-lint", manifest, "--check", "--target", "first", "--set", "env.C=a b", "--overlay", "over.yaml"
    )
    assert "run `mngen render job.yaml --target first --overlay over.yaml --set 'env.C=a b' -o out`" in result.err


def test_a_hand_edit_is_not_overwritten(mngen, manifest, rendered) -> None:
    edited = rendered / "first/job.sbatch"
    edited.write_text("mine\n")
    result = mngen("render", "--no-lint", manifest)
    assert result.status == 1
    assert "error[MN504]" in result.err
    assert edited.read_text() == "mine\n"
    words = "move the edit (`mngen diff` shows it) into the manifest, then run `mngen render job.yaml -o out --force`"
    assert words in mngen("render", "--no-lint", manifest, "--check").err
    assert mngen("render", "--no-lint", manifest, "--force").status == 0
    assert edited.read_text() != "mine\n"


def test_diff_prints_what_git_applies_and_never_writes(mngen, manifest, rendered) -> None:
    Path(manifest).write_text(Path(manifest).read_text().replace("train.py", "other.py"))
    before = (rendered / "first/job.sbatch").read_bytes()
    result = mngen("diff", "--no-lint", manifest)
    assert result.status == 1
    assert (rendered / "first/job.sbatch").read_bytes() == before
    subprocess.run(["git", "apply", "-"], input=result.raw, check=True)
    assert mngen("diff", "--no-lint", manifest).out == ""


@pytest.mark.parametrize(
    ("out", "place"),
    [("out", "."), ("my out", "."), ("../out", ".."), ("../../a/b", "../.."), ("/{}/out", "/")],
)
def test_a_diff_applies_wherever_the_output_is(mngen, manifest, tmp_path, monkeypatch, out, place) -> None:
    work = tmp_path / "one/two"
    work.mkdir(parents=True)
    out = out.format(str(tmp_path)[1:])
    with monkeypatch.context() as there:
        there.chdir(work)
        patch = mngen("diff", "--no-lint", "../../job.yaml", "-o", out).raw
        subprocess.run(["git", "apply", "-"], cwd=place, input=patch, check=True)
        assert mngen("render", "--no-lint", "../../job.yaml", "-o", out, "--check").status == 0


def test_diff_alone_is_status_0(mngen, manifest) -> None:
    result = mngen("render", "--no-lint", manifest, "--diff")
    assert result.status == 0
    assert "+++ b/out/first/job.sbatch" in result.out
    assert not Path("out").exists()


def test_a_dry_run_lists_and_writes_nothing(mngen, manifest) -> None:
    result = mngen("render", "--no-lint", manifest, "--dry-run")
    assert result.status == 0
    assert "add    out/first/job.sbatch\n" in result.out
    assert not Path("out").exists()


def test_a_dry_run_refuses_what_a_render_would_refuse(mngen, manifest) -> None:
    Path("out").mkdir()
    Path("out/README.md").write_text("mine")
    result = mngen("render", "--no-lint", manifest, "--dry-run")
    assert result.status == 1
    assert "error[MN505]" in result.err


def test_several_manifests_get_a_folder_each(mngen, manifest) -> None:
    Path("other.yaml").write_text(Path(manifest).read_text().replace("name: job", "name: other"))
    assert mngen("render", "--no-lint", manifest, "other.yaml").status == 0
    assert {path.split("/")[0] for path in files()} == {"job", "other"}
    assert mngen("diff", "--no-lint", manifest, "other.yaml").status == 0


def test_an_error_in_one_of_several_writes_none(mngen, manifest) -> None:
    Path("other.yaml").write_text(Path(manifest).read_text().replace("name: job", "name: other\nbad: 1"))
    result = mngen("render", "--no-lint", manifest, "other.yaml")
    assert result.status == 1
    assert "other.yaml:3:1" in result.err
    assert not Path("out").exists()


def test_a_wrong_manifest_does_not_hide_what_is_wrong_in_another(mngen, manifest) -> None:
    """Each is judged as far as it goes: as bytes, as YAML, by the schema, by the rules, by what it renders."""
    text = Path(manifest).read_text()
    Path("bytes.yaml").write_bytes(b"name: \xe9\n")
    Path("yaml.yaml").write_text("name: [")
    Path("schema.yaml").write_text(text + "bad: 1\n")
    Path("rules.yaml").write_text(text.replace("1e-6", "'${{ nowhere }}'"))
    Path("rendered.yaml").write_text(text + "setup: 'if true; then'\n")
    wrong = [f"{stage}.yaml" for stage in ("bytes", "yaml", "schema", "rules", "rendered")]
    result = mngen("validate", *wrong, manifest)
    assert result.status == 1
    assert [name for name in wrong if f"--> {name}:" not in result.err] == []
    assert f"--> {manifest}:" not in result.err


def test_a_conflict_in_one_of_several_writes_none(mngen, manifest) -> None:
    Path("other.yaml").write_text(Path(manifest).read_text().replace("name: job", "name: other"))
    Path("out/other").mkdir(parents=True)
    Path("out/other/README.md").write_text("mine")
    assert mngen("render", "--no-lint", manifest, "other.yaml").status == 1
    assert files() == {"other/README.md"}


def test_two_manifests_of_one_name_are_refused(mngen, manifest) -> None:
    Path("other.yaml").write_text(Path(manifest).read_text())
    result = mngen("render", "--no-lint", manifest, "other.yaml")
    assert result.status == 2
    assert "`job.yaml` and `other.yaml` are both named `job`" in result.err
    assert mngen("render", "--no-lint", manifest, "other.yaml", "-o", "-").status == 2


def test_a_folder_of_another_manifest_is_refused(mngen, manifest, rendered) -> None:
    Path("other.yaml").write_text(Path(manifest).read_text().replace("name: job", "name: other"))
    result = mngen("render", "--no-lint", "other.yaml", "--force")
    assert result.status == 1
    assert "error[MN506]" in result.err


def test_from_stdin_to_stdout_as_a_tar(mngen, manifest, rendered) -> None:
    result = mngen("render", "--no-lint", "-", "-o", "-", stdin=Path(manifest).read_bytes())
    assert result.status == 0
    assert result.err == ""
    with tarfile.open(fileobj=io.BytesIO(result.raw)) as archive:
        assert set(archive.getnames()) == files(rendered)


def test_one_file_to_stdout(mngen, manifest, rendered) -> None:
    result = mngen("render", "--no-lint", manifest, "-o", "-", "--file", "first/job.sbatch")
    assert result.raw == (rendered / "first/job.sbatch").read_bytes()
    wrong = mngen("render", "--no-lint", manifest, "-o", "-", "--file", "first/job")
    assert wrong.status == 2
    assert "first/job.sbatch" in wrong.err


def test_one_file_of_several_manifests_has_the_name_that_the_tar_stream_shows(mngen, manifest) -> None:
    other = Path("other.yaml")
    other.write_text(Path(manifest).read_text().replace("name: ", "name: other-", 1))
    call = ["render", "--no-lint", manifest, str(other), "-o", "-"]
    with tarfile.open(fileobj=io.BytesIO(mngen(*call).raw)) as archive:
        path = next(name for name in archive.getnames() if name.startswith("other-") and name.endswith("job.sbatch"))
        member = archive.extractfile(path)
        assert member is not None
        assert mngen(*call, "--file", path).raw == member.read()
    both = mngen(*call, "--file", "first/job.sbatch")
    assert both.status == 2
    assert path in both.err


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_no_command_advises_force_against_what_force_leaves(mngen, manifest, rendered, make) -> None:
    job = rendered / "first/job.sbatch"
    job.unlink()
    make(job)
    for result in (
        mngen("render", "--no-lint", manifest, "--check"),
        mngen("render", "--no-lint", manifest, "--force"),
    ):
        assert result.status == 1
        assert "MN505" in result.err
        assert "--force does not remove it" in result.err
    assert "move it away" in mngen("diff", "--no-lint", manifest).out


@pytest.mark.parametrize("options", [["-o", "-", "--check"], ["--file", "x"], ["-o", "-", "--diff"]])
def test_options_that_do_not_go_together(mngen, manifest, options) -> None:
    assert mngen("render", manifest, *options).status == 2


def test_stdin_can_be_read_once(mngen) -> None:
    assert mngen("render", "-", "-", stdin="").status == 2


def test_json_says_what_changed(mngen, manifest) -> None:
    result = mngen("render", "--no-lint", manifest, "--format", "json")
    document = json.loads(result.out)
    assert document["format"] == 1
    assert {"path": "out/first/job.sbatch", "action": "add", "owner": "mngen"} in document["changes"]
    assert json.loads(mngen("render", "--no-lint", manifest, "--format", "json", "--check").out)["changes"] == []


def test_annotations_are_the_default_on_github(mngen, manifest, rendered, monkeypatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    (rendered / "README.md").unlink()
    result = mngen("render", "--no-lint", manifest, "--check")
    assert "::error file=out/README.md,title=MN501::`README.md` is missing" in result.out


def test_a_lock_that_is_a_pipe_is_not_waited_for(mngen, manifest) -> None:
    os.mkfifo("mngen.lock")
    result = mngen("render", "--no-lint", manifest)
    assert (result.status, "it is not a regular file" in result.err) == (3, True)


def test_an_unwritable_folder_is_status_3(mngen, manifest) -> None:
    Path("file").write_text("")
    assert mngen("render", "--no-lint", manifest, "-o", "file").status == 2
    assert mngen("render", "--no-lint", manifest, "-o", "file/below").status == 2
    result = mngen("render", "--no-lint", manifest, "-o", "/proc/below")
    assert result.status == 3
    assert result.err.startswith("error: cannot ")
