"""The mutation run itself: it finds every function, empties one at a time, and explains only what is there."""

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "tests" / "cases")]

import mutants  # noqa: E402 - the folder must be on the path first
import project as copies  # noqa: E402 - as above
from case_ids import AREAS  # noqa: E402 - as above


def test_every_function_of_a_shell_module_is_found() -> None:
    found = {(mutant.path, mutant.name) for mutant in mutants.find(ROOT)}
    for path in (ROOT / "templates" / "shell").glob("*.sh*"):
        for name in re.findall(r"^(\w+)\(\)", path.read_text(), re.MULTILINE):
            assert (str(path.relative_to(ROOT)), name) in found


def test_an_emptied_function_does_nothing_and_the_rest_stays() -> None:
    for mutant in mutants.find(ROOT):
        text = (ROOT / mutant.path).read_text()
        changed = mutant.broken(text)
        assert re.search(rf"^{mutant.name}\(\) [{{(]\n  :\n[}})]$", changed, re.MULTILINE), mutant
        assert mutants.DEFINITION.findall(changed) == mutants.DEFINITION.findall(text)
        if mutant.path.endswith(".sh"):
            subprocess.run(["bash", "-n"], input=changed, text=True, check=True)


def test_only_functions_that_are_there_are_explained() -> None:
    known = {str(mutant) for mutant in mutants.find(ROOT)}
    reasons = mutants.explained()
    assert set(reasons) <= known
    assert all(len(reason) > 20 for reason in reasons.values())


def test_each_bug_case_has_a_line_to_replace() -> None:
    assert {edit.case for edit in mutants.edits()} == {case for area in AREAS.values() for case in area}


def test_each_line_to_replace_is_there_once() -> None:
    for edit in mutants.edits():
        assert edit.broken((ROOT / edit.path).read_text())


def test_the_copy_has_all_that_its_tests_read(tmp_path: Path) -> None:
    project = copies.copy(tmp_path)
    packages = copies.package(project, tmp_path / "unchanged", None)
    status, output = copies.pytest(project, packages, ["--collect-only", *copies.test_files(project)])
    assert status == 0, output
    every: list[mutants.Mutant] = [*mutants.find(ROOT), *mutants.edits()]
    assert all((project / mutant.path).exists() for mutant in every)
