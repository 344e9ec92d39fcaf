"""Every bug case has its tests, and no test names a case that is not one."""

import ast
import re
from pathlib import Path

import pytest
from case_ids import AREAS

HERE = Path(__file__).resolve().parent


def ids_in(path: Path) -> set[str]:
    """The case ids in the names of a file's tests."""
    tree = ast.parse(path.read_text())
    names = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {f"B{match[1]}" for name in names if (match := re.match(r"test_b(\d+)_", name))}


def test_no_number_stands_for_two_cases() -> None:
    ids = [name for area in AREAS.values() for name in area]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("area", AREAS)
def test_each_case_of_an_area_has_a_test(area: str) -> None:
    missing = AREAS[area].keys() - ids_in(HERE / f"test_{area}.py")
    assert not missing


def test_tests_name_known_cases() -> None:
    known = {name for area in AREAS.values() for name in area}
    for path in HERE.glob("test_*.py"):
        assert ids_in(path) <= known, path.name
