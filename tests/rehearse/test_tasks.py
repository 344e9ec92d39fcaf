"""Task files that people wrote: what their launchers refuse is told with its line, the rest runs as it would there."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch_files import GOLDEN, made, one

from mngen.cli.app import run
from mngen.errors import EnvironmentFailure, UsageError
from mngen.rehearse.limits import not_exercised
from mngen.rehearse.rehearsal import run as run_round
from mngen.rehearse.subject import find
from mngen.rehearse.task_file import read_dstack, read_skypilot

SKY = "task.sky.yaml"
STACK = "task.dstack.yml"
REFUSED = [
    (SKY, "a: [", "line 2: this is not YAML"),
    (STACK, "a: [", "line 2: this is not YAML"),
    (SKY, "run: a\n---\nrun: b\n", "line 2: this is a second document"),
    (STACK, "type: task\n---\ntype: task\n", "line 2: this is a second document"),
    (SKY, "- run\n", "holds no task"),
    (STACK, "", "holds no task"),
    (SKY, "run: a\nnum_nodes: two\n", "line 2: `num_nodes` has to be a number of nodes"),
    (STACK, "type: task\nnodes: \u00b2\n", "line 2: `nodes` has to be a number of nodes"),
    (SKY, "run: [a]\n", "line 1: `run` has to be a text"),
    (SKY, "file_mounts: {3: x}\n", "line 1: `file_mounts.3` has to be a map of places to local files: 3 is no text"),
    (SKY, "file_mounts: [a]\n", "line 1: `file_mounts` has to be a map"),
    (SKY, "file_mounts:\n  a: x\n", "line 2: `file_mounts.a` has to begin with / or ~/"),
    (SKY, "file_mounts:\n  ~/../a: x\n", "line 2: `file_mounts.~/../a` must not end with / or hold .."),
    (SKY, "file_mounts:\n  ~/a: [x]\n", "line 2: `file_mounts.~/a` has to be a local path"),
    (SKY, "envs: [A]\n", "line 1: `envs` has to be a map of variables to texts"),
    (SKY, "envs:\n  1A: x\n", "line 2: `envs.1A` is no name of a variable"),
    (SKY, "envs:\n  A: [x]\n", "line 2: `envs.A` has to be a text"),
    (SKY, "secrets: 3\n", "line 1: `secrets` has to be a map"),
    (STACK, "type: task\nfiles: a\n", "line 2: `files` has to be a list"),
    (STACK, "type: task\nfiles:\n  - a:b:c\n", "line 3: `files[0]` has to be SOURCE:PLACE"),
    (STACK, "type: task\nfiles:\n  - {path: a}\n", "line 3: `files[0]` has to be SOURCE:PLACE"),
    (STACK, "type: task\nenv: A\n", "line 2: `env` has to be a map of variables to texts"),
    (STACK, "type: task\nenv: [A=1, A]\n", "line 2: `env[1]` names A again"),
    (STACK, "type: task\nenv: {A: null}\n", "line 2: `env.A` has to be a text"),
    (STACK, "type: task\ncommands: x\n", "line 2: `commands` has to be a list of texts"),
    (STACK, "type: task\ncommands:\n  - 3\n", "line 3: `commands[0]` has to be a text"),
    (
        STACK,
        "type: task\ncommands:\n  - a ${{ secrets.T }}\n",
        "line 3: `commands[0]` holds what dstack's server fills in",
    ),
    (STACK, "type: task\ngroups: [{nodes: 2}]\n", "line 2: `groups` is not played"),
]


@pytest.mark.parametrize(("name", "text", "said"), REFUSED)
def test_what_a_launcher_refuses_is_told_with_its_line(name: str, text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError) as caught:
        find(tmp_path / name)
    assert said in str(caught.value)


def test_it_is_told_before_anything_is_made(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / SKY).write_text("run: x\nenvs: [A]\n")
    assert run(["rehearse", str(tmp_path / SKY), "--nodes-as=namespaces"]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1), err


def test_a_skypilot_task_is_read_as_its_client_reads_it() -> None:
    text = (
        "num_nodes: 2\nenvs: {A: 1, TOK: null, B: yes}\nsecrets: {KEY: abc, NONE: null}\n"
        "file_mounts: {~/a: ../a, ~/s: {source: s3://x}, /d: gs://y}\nrun: x\n"
    )
    task = read_skypilot(text, SKY)
    assert task.nodes == 2
    assert task.env == {"A": "1", "B": "True", "KEY": "abc"}
    assert task.wanted == {"TOK": "--env TOK", "NONE": "--secret NONE"}
    assert task.files == {"~/a": "../a", "~/s": None, "/d": None}
    assert read_skypilot("secrets: [A]\nrun: x\n", SKY).wanted == {"A": "--secret A"}


def test_a_dstack_task_is_read_as_its_client_reads_it() -> None:
    text = "type: task\nenv: {A: 1, B: x}\nfiles: [a, b:/c, {local_path: d, path: /e}]\n"
    task = read_dstack(text, STACK)
    assert (task.env, task.wanted) == ({"A": "1", "B": "x"}, {})
    assert task.files == {"a": "a", "/c": "b", "/e": "d"}
    listed = read_dstack("type: task\nenv: [A=, B=x=y, C]\n", STACK)
    assert (listed.env, listed.wanted) == ({"A": "", "B": "x=y"}, {"C": "the environment"})


SKY_RUN = """\
num_nodes: 1
envs: {A: 1, TOK: null}
secrets: {KEY: abc}
file_mounts: {~/b/s: s3://x, ~/note: note}
run: |
  echo $A $TOK $KEY $(cat ~/note) $(ls ~/b)
"""
STACK_RUN = """\
type: task
shell: bash
env: {A: 1}
files: [note, {local_path: note, path: /m/n}, "note:~/n"]
commands:
  - echo $A $(cat note /m/n ~/n)
"""


@pytest.mark.parametrize(
    ("name", "text", "said"), [(SKY, SKY_RUN, "1 rehearsal-tok abc hello s"), (STACK, STACK_RUN, "1 hello hello hello")]
)
def test_a_task_sees_its_files_and_variables(name: str, text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "note").write_text("hello\n")
    outcome = run_round(made(tmp_path / name), one("plain"), 60, lambda *_: None)
    assert said in outcome.log, outcome.log


PLACES = ("/root", "/usr/local/lib", "/opt/none/yet")
LINKS = "".join(
    f"  {{ mkdir -p {place} && ln -sfnT ~/code {place}/own-code; }} && {{ echo made in {place}; }}\n"
    for place in PLACES
)


def test_the_code_of_a_task_may_lie_in_any_folder_of_the_node(tmp_path: Path) -> None:
    """SkyPilot's nodes are their user's, who is root there; what they write is not on this machine."""
    (tmp_path / SKY).write_text(
        f"num_nodes: 1\nrun: |\n{LINKS}  ls -d /usr/local/lib/*; touch /root/more && echo home\n"
    )
    ready = made(tmp_path / SKY)
    assert set(PLACES) <= set(ready.needs.writable)
    outcome = run_round(ready, one("plain"), 60, lambda *_: None)
    lines = outcome.log.splitlines()
    assert [f"made in {place}" in lines for place in PLACES] == [True] * 3, outcome.log
    assert "home" in lines
    assert {str(path) for path in Path("/usr/local/lib").iterdir()} <= set(lines)
    assert not any(Path(place, "own-code").is_symlink() for place in PLACES)
    with pytest.raises(EnvironmentFailure, match="the file writes in /usr/local/lib"):
        run_round(made(tmp_path / SKY, plain=True), one("plain"), 60, lambda *_: None)


def test_what_a_task_wants_is_made_up_once() -> None:
    ready = made(GOLDEN / "design/out/gcp")
    assert [line for line in not_exercised(ready) if "WANDB" in line] == ["variables: made-up values for WANDB_API_KEY"]
