"""Imports run one way, as ARCHITECTURE.md draws it, and what is pure reads nothing of the machine."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from repository import ROOT, imported, modules

ORDER = re.search(r"Imports run one way: `(cli [^`]*)`", (ROOT / "ARCHITECTURE.md").read_text())
assert ORDER is not None
LEVELS = [level.strip().split(", ") for level in ORDER[1].split("→")]
"""The folders and modules of the package, the highest level first."""

GROUND = {"diagnostics", "errors", "codes", "data_files", "version"}
"""What any level may use: findings, failures, the texts about codes, the files beside the modules, the release."""

RANK = {part: rank for rank, level in enumerate(LEVELS) for part in level} | dict.fromkeys(GROUND, len(LEVELS) - 1)

PURE = ("checks.foreign", "render", "targets", "launch", "images", "plan", "manifest", "report", "diagnostics")
"""Text in, values out. The other checks start linters, `output`, `build` and `cli` are there to touch the machine."""
STARTS_LINTERS = "mngen.checks.foreign.linters"

IMPURE = {
    *("os", "sys", "time", "datetime", "random", "secrets", "uuid", "socket", "platform", "getpass", "locale"),
    *("subprocess", "shutil", "tempfile", "glob", "http", "threading", "asyncio", "logging"),
}
HOST = {"open", "input", "print", "exit"}
NAMES = {"pyyaml": "yaml"}
"""What a distribution's package is called, where its name is another."""
HEAVY: dict[str, set[str]] = {
    "jsonschema": {"mngen.manifest.validator"},
    "jinja2": {"mngen.render.compiled", "mngen.render.environment"},
    "docker": set(),
    "rich": set(),
    "requests": set(),
    "tenacity": set(),
}
"""Packages that take long to import, with the modules that need them at once and are themselves imported late."""


def part(name: str) -> str:
    """The level's own word for a module: its folder below ``mngen``."""
    inner = [*name.split("."), "version"][1]
    return "cli" if inner == "__main__" else inner


def edges() -> set[tuple[str, str]]:
    """Every import of one module of the package by another."""
    names = modules()
    return {(name, other) for name, tree in names.items() for other in imported(tree) if other in names}


def test_every_part_has_its_level() -> None:
    assert {part(name) for name in modules()} - RANK.keys() == set()
    assert RANK.keys() - {part(name) for name in modules()} == set()


def test_imports_run_down() -> None:
    wrong = [
        f"{name} imports {other}"
        for name, other in sorted(edges())
        if RANK[part(name)] > RANK[part(other)] and part(other) not in GROUND
    ]
    assert wrong == []


def test_no_module_imports_itself_in_a_circle() -> None:
    above: dict[str, set[str]] = {name: set() for name in modules()}
    for name, other in edges():
        above[name].add(other)
    while leaves := {name for name, others in above.items() if not others}:
        above = {name: others - leaves for name, others in above.items() if name not in leaves}
    assert sorted(above) == []


def test_rules_are_used_by_the_loader_alone() -> None:
    """A rule reads the model; what it is made of (findings, the port plan) is in ``judging``, for others too."""
    users = {
        f"{name} imports {other}"
        for name, other in edges()
        if other.startswith("mngen.manifest.rules")
        and not name.startswith("mngen.manifest.rules")
        and name != "mngen.manifest.load"
    }
    assert users == set()


def test_a_rule_is_one_that_is_asked() -> None:
    """What several rules use is in ``judging``, which uses no rule."""
    rules = {name: tree for name, tree in modules().items() if name.startswith("mngen.manifest.rules.")}
    names = {
        name: {node.name for node in tree.body if isinstance(node, ast.FunctionDef)} for name, tree in rules.items()
    }
    assert [name for name, found in names.items() if "check" not in found] == []
    assert [pair for pair in edges() if ".judging" in pair[0] and ".manifest.rules" in pair[1]] == []


def test_imports_are_absolute() -> None:
    relative = [
        name
        for name, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


def test_what_is_pure_cannot_reach_the_machine() -> None:
    pure = {name for name in modules() if name.removeprefix("mngen.").startswith(PURE)} - {STARTS_LINTERS}
    wrong = {name: found for name in sorted(pure) if (found := _of_the_machine(modules()[name]))}
    assert wrong == {
        "mngen.targets.foreign": {"importlib.metadata"},  # which kinds there are depends on what is installed
        "mngen.render.compiled": {"importlib.machinery"},  # Python keeps the code of templates, as that of modules
    }


def _of_the_machine(tree: ast.Module) -> set[str]:
    used = {
        name
        for name in imported(tree)
        if name.split(".")[0] in IMPURE
        or name.startswith(("importlib.machinery", "importlib.metadata", "urllib.request"))
    }
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    return used | called & HOST


def test_only_the_command_line_speaks() -> None:
    speaking = [
        name
        for name, tree in modules().items()
        if part(name) != "cli"
        and ("click" in imported(tree) or any(isinstance(n, ast.Name) and n.id == "print" for n in ast.walk(tree)))
    ]
    assert speaking == []


@pytest.mark.parametrize("package", HEAVY)
def test_heavy_packages_are_imported_late(package: str) -> None:
    at_once = {name: imported(tree, late=False) for name, tree in modules().items()}
    assert {name for name, used in at_once.items() if package in {one.split(".")[0] for one in used}} == HEAVY[package]
    reached, new = set(), {"mngen.__main__"}
    while new:
        reached |= new
        new = {folder for name in new for used in at_once[name] for folder in _with_folders(used)} - reached
    assert reached & HEAVY[package] == set(), "starting the program imports it"


WITHOUT_EXTRAS = {"mngen.cli.rehearsal_view"}
"""Users of a package of an extra that do without it; tests of theirs show it."""


def test_packages_of_extras_are_used_where_the_extra_is_asked_for() -> None:
    """Everything else works as `pip install .` leaves it. `mngen.build.engines` asks for the extra of its folder."""
    listed = (ROOT / "pyproject.toml").read_text().partition("\ndependencies = [")[2].partition("]")[0]
    installed = set(re.findall(r'"([a-z0-9-]+)', listed))
    known = {*sys.stdlib_module_names, "mngen", *(NAMES.get(name, name) for name in installed)}
    used = {name: {one.split(".")[0] for one in imported(tree)} - known for name, tree in modules().items()}
    beyond = {name for name, packages in used.items() if packages and part(name) != "build"}
    assert beyond == {"mngen.cli.progress", *WITHOUT_EXTRAS}
    importers = {name for name, tree in modules().items() if "mngen.cli.progress" in imported(tree)}
    assert importers == {"mngen.cli.building"}


def _with_folders(name: str) -> set[str]:
    """A module and the packages around it, whose ``__init__`` runs first."""
    steps = name.split(".")
    return {".".join(steps[:size]) for size in range(1, len(steps) + 1)} & modules().keys()
