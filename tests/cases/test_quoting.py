"""Bug cases about environment variables and quoting (B78 to B87): values arrive as they are written, nothing runs."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import definition_reader
import dockerfile_reader
import pytest
from awkward import EXPECTED_ARGS, EXPECTED_ENV, AwkwardJob
from plain import files, findings, image_files
from ways import WAYS, clutter

from mngen.diagnostics import Severity

Jobs = Callable[[str], AwkwardJob]
HOSTILE = {"A": "$(touch /tmp/pwned)", "B": "`touch /tmp/pwned`", "C": "$(touch pwned)"}
DESCRIBED = {"repository": "r.example.org/a", "variants": {"cuda": {"tag": "1", "base": "ubuntu:24.04"}}}


def meant(*names: str) -> dict[str, str]:
    """What the manifest says of them."""
    return {name: EXPECTED_ENV[name] for name in names}


@pytest.mark.parametrize("way", WAYS)
def test_b78_a_comma_does_not_end_a_value(awkward_job: Jobs, way: str) -> None:
    job = awkward_job(way)
    assert job.status == 0, job.log
    assert job.seen("LDFLAGS") == [meant("LDFLAGS")]


@pytest.mark.parametrize("way", WAYS)
def test_b80_a_value_with_blanks_stays_one(awkward_job: Jobs, way: str) -> None:
    job = awkward_job(way)
    assert job.seen("LD_PRELOAD_WORDS") == [meant("LD_PRELOAD_WORDS")]


@pytest.mark.parametrize("way", WAYS)
def test_b80_a_path_with_a_blank_is_a_work_and_log_folder(awkward_job: Jobs, way: str) -> None:
    job = awkward_job(way)
    assert job.driver["cwd"] == str(job.sim.work / "a folder")
    folder = "the-logs" if way == "pyxis" else "the logs"
    (log,) = (job.sim.work / folder).glob("train-*.log")
    assert "driver: started" in log.read_text()


@pytest.mark.parametrize("way", WAYS)
def test_b81_values_that_look_like_shell_text_come_back_equal(awkward_job: Jobs, way: str) -> None:
    names = ("CALL", "TWO_COMMANDS", "APOSTROPHE", "DOLLAR")
    assert awkward_job(way).seen(*names) == [meant(*names)]


@pytest.mark.parametrize("way", WAYS)
def test_b81_no_client_reads_an_env_file(awkward_job: Jobs, way: str) -> None:
    for path in awkward_job(way).folder.iterdir():
        assert "--env-file" not in path.read_text()


@pytest.mark.parametrize("way", WAYS)
def test_b82_a_substitution_in_a_value_is_not_run(awkward_job: Jobs, way: str) -> None:
    job = awkward_job(way)
    assert job.seen("SUBSTITUTION", "BACKTICKS") == [meant("SUBSTITUTION", "BACKTICKS")]
    assert clutter(job.sim) == []


def test_b82_a_substitution_in_an_image_is_not_run(tmp_path: Path) -> None:
    image = {**DESCRIBED, "env": {"image": HOSTILE, "build": {f"{name}_BUILD": text for name, text in HOSTILE.items()}}}
    made = image_files(image={**image, "labels": {name.lower(): text for name, text in HOSTILE.items()}})
    for stage in (
        dockerfile_reader.read(made["Dockerfile"], {})[-1],
        definition_reader.read(made["sim.def"], {})[-1],
    ):
        assert {name: stage.shipped[name] for name in HOSTILE} == HOSTILE
        assert {name: stage.env[f"{name}_BUILD"] for name in HOSTILE} == HOSTILE
        assert {name: stage.labels[name.lower()] for name in HOSTILE} == HOSTILE
    section = made["sim.def"].partition("\n%environment\n")[2].partition("\n%")[0]
    done = subprocess.run(["sh", "-c", section + '\nprintf "%s" "$C"'], cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout.decode() == HOSTILE["C"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("way", WAYS)
def test_b84_words_and_numbers_keep_their_spelling(awkward_job: Jobs, way: str) -> None:
    names = ("VLLM_USE_V1", "TRUTH", "NO_WORD", "OFF_WORD", "ON_WORD", "NORWAY", "OCTAL", "GROUPED", "CLOCK")
    assert awkward_job(way).seen(*names) == [meant(*names)]


@pytest.mark.parametrize("way", WAYS)
def test_b86_a_dollar_is_literal_and_a_placeholder_is_filled_in_on_the_node(awkward_job: Jobs, way: str) -> None:
    names = ("DOLLAR", "INNER_DOLLAR", "FROM_NODE")
    assert awkward_job(way).seen(*names) == [meant(*names)]


@pytest.mark.parametrize("way", WAYS)
def test_b86_variables_of_an_env_file_reach_every_process(awkward_job: Jobs, way: str) -> None:
    job = awkward_job(way)
    assert job.seen("FROM_FILE") == [{"FROM_FILE": "it's read"}]
    assert all(call["env"]["PATH"].startswith("/opt/x/bin:/") for call in (job.driver, *job.starts()))


def test_b86_a_path_that_seems_to_grow_is_remarked_on() -> None:
    (found,) = findings(env={"PATH": "/opt/x/bin:$PATH"})
    assert (found.code, found.severity) == ("MN264", Severity.WARNING)
    assert "export PATH=/opt/x/bin:$PATH" in (found.hint or "")


@pytest.mark.parametrize("way", WAYS)
def test_b87_json_keeps_its_quotes(awkward_job: Jobs, way: str) -> None:
    job = awkward_job(way)
    assert job.driver["argv"][0] == EXPECTED_ARGS[0] == '{"working_dir": "/a b", "pip": ["x>=1"]}'
    assert job.seen("JSON") == [meant("JSON")]


def test_b87_json_for_rays_own_options_keeps_its_quotes() -> None:
    text = files(ray={"head_args": ['--labels={"a": "b c"}']})["job/job.sbatch"]
    assert '\'--labels={"a": "b c"}\'' in text
