"""The repository as data: its tracked files, and the imports of its modules."""

from __future__ import annotations

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "generator"
GOLDEN = ROOT / "golden"
EXAMPLES = sorted(path.parent for path in GOLDEN.glob("*/manifest.yaml"))


@cache
def tracked() -> tuple[str, ...]:
    """The files that are checked in, and those that would be: not ignored, and still there."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    names = sorted(set(done.stdout.decode().split("\0")) - {""})
    return tuple(name for name in names if (ROOT / name).is_file())


def rendered() -> list[Path]:
    """Every checked-in rendered file."""
    return [ROOT / name for name in tracked() if name.startswith("golden/") and "/out/" in name]


@cache
def modules() -> dict[str, ast.Module]:
    """The syntax tree of every module of the package, by its dotted name; stand-ins are programs of their own."""
    found = {}
    for path in sorted((GENERATOR / "mngen").rglob("*.py")):
        if "stand_ins" in path.parts:
            continue
        parts = path.relative_to(GENERATOR).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imported(tree: ast.AST, *, late: bool = True) -> set[str]:
    """The dotted names that a module imports; ``late`` counts those inside of functions too."""
    nodes = ast.walk(tree) if late else _at_once(tree)
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {name if name in modules() else node.module for name in inner}
    return names


def _at_once(tree: ast.AST) -> list[ast.AST]:
    """What runs when a module is imported: all but the bodies of functions and what only type checkers read."""
    found: list[ast.AST] = []
    stack = [tree]
    while stack:
        node = stack.pop()
        found.append(node)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            stack += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            stack += ast.iter_child_nodes(node)
    return found
