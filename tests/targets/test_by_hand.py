"""What is said to those who start machines by hand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import documents

FIELDS = {"none": {}, "docker": {"runtime": "docker"}}


def _made(nodes: int, runtime: str) -> dict[str, str]:
    return documents.files("manual", {"resources": {"nodes": nodes, "gpus": 8}, **FIELDS[runtime]})


@pytest.mark.parametrize("runtime", FIELDS)
def test_a_workers_words_are_the_same_everywhere(tmp_path: Path, runtime: str) -> None:
    made = _made(4, runtime)
    assert "bash out/here/worker.sh HEAD_IP RANK\n" in made["README.md"]
    assert "without a port; RANK counts from 1 to 3" in made["README.md"]
    assert "as worker.sh HEAD_IP RANK" in made["worker.sh"]
    assert "without a port; RANK counts from 1 to 3." in made["worker.sh"].partition("set -E")[0]
    assert "HEAD_ADDRESS RANK" not in "".join(made.values())


@pytest.mark.parametrize("runtime", FIELDS)
@pytest.mark.parametrize("words", [[], ["10.0.0.1"], ["10.0.0.1", "0"], ["10.0.0.1", "one"], ["10.0.0.1", "-1"]])
def test_a_worker_that_does_not_know_who_it_is_says_how_it_is_started(
    tmp_path: Path, runtime: str, words: list[str]
) -> None:
    """As the head, which rank 0 is, it would wait for a Ray that nobody starts."""
    (tmp_path / "worker.sh").write_text(_made(4, runtime)["worker.sh"].replace("/tmp/mngen-", f"{tmp_path}/mngen-"))
    done = subprocess.run(["bash", str(tmp_path / "worker.sh"), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 78
    assert "usage: worker.sh HEAD_IP RANK; HEAD_IP is without a port, RANK counts from 1 to 3" in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["worker.sh"]


@pytest.mark.parametrize("runtime", FIELDS)
@pytest.mark.parametrize(("nodes", "words"), [(2, "${HEAD_IP} 1"), (4, "${HEAD_IP} RANK")])
def test_the_head_prints_the_workers_command(nodes: int, words: str, runtime: str) -> None:
    lines = [line.strip() for line in _made(nodes, runtime)["head.sh"].splitlines()]
    (said,) = [line for line in lines if "here/worker.sh" in line]
    assert said.startswith('say "')
    assert said.endswith(f': bash out/here/worker.sh {words}"')
    assert lines.index(said) > lines.index("choose_head_address")


def test_one_worker_needs_no_rank_and_one_machine_no_worker() -> None:
    made = _made(2, "none")
    assert "bash out/here/worker.sh HEAD_IP\n" in made["README.md"]
    assert "as worker.sh HEAD_IP, in" in made["worker.sh"]
    assert "here/worker.sh" not in "".join(_made(1, "none").values())


def test_all_workers_are_started_from_one_shell(tmp_path: Path) -> None:
    made = _made(4, "none")["README.md"]
    (line,) = (line for line in made.splitlines() if "ssh -n" in line)
    (tmp_path / "ssh").write_text(f'#!/bin/bash\nprintf "%s|" "$@" >>{tmp_path}/said.$2\n')
    (tmp_path / "ssh").chmod(0o755)
    (tmp_path / "hosts").write_text("a\nb\nc\n")
    folder = tmp_path / "my job"
    folder.mkdir()
    command = line.replace("HEAD_IP", "10.0.0.1").replace("<HOSTS", f"<{tmp_path}/hosts")
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    subprocess.run(["bash", "-c", command], cwd=folder, env=env, check=True)
    said = [(tmp_path / f"said.{host}").read_text() for host in "abc"]
    place = str(folder).replace(" ", "\\ ")
    assert said == [
        f"-n|{host}|cd {place} && bash out/here/worker.sh 10.0.0.1 {rank}|" for rank, host in enumerate("abc", start=1)
    ]


def test_where_secrets_have_to_be_there_no_shell_starts_all() -> None:
    fields = {"resources": {"nodes": 4, "gpus": 8}, "secrets": {"WANDB_API_KEY": {}}}
    assert "ssh -n" not in documents.files("manual", fields)["README.md"]
