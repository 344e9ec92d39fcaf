"""What holds for every file of the repository: its size, nothing left to do, and that the pages name what exists."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from repository import ROOT, tracked

MOST_LINES = 300
WRITTEN_BY_HAND = (".py", ".sh", ".j2", ".md", ".sbatch", ".def")
OTHERS_LENGTH = ("golden/", "docs/", "tests/seeds/", "tests/checks/foreign/files/")
"""Rendered and generated text, and files of others: as long as what they are about."""

OF_OTHERS = {"setup.py", "torch/version.py", "mngen/v1"}
"""What pages name that is no file of the project: PyTorch's files, the manifest's version."""

PAGES = (
    *("ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "golden/README.md", "CHANGELOG.md"),
    *(name for name in tracked() if name.startswith("docs/") and name.endswith(".md")),
)

FOLDERS = {name.partition("/")[0] for name in tracked() if "/" in name}

UNFINISHED = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
"""Marks of work that is left; written in pieces, so that this file may be searched too."""


def texts() -> dict[str, str]:
    found = {}
    for name in tracked():
        data = (ROOT / name).read_bytes()
        if b"\0" not in data:
            found[name] = data.decode("utf-8", "replace")
    return found


TEXTS = texts()


def test_no_file_is_too_long_to_read() -> None:
    long = {
        name: lines
        for name, text in TEXTS.items()
        if name.endswith(WRITTEN_BY_HAND)
        and not name.startswith(OTHERS_LENGTH)
        and (lines := text.count("\n")) > MOST_LINES
    }
    assert long == {}, f"split what has more than {MOST_LINES} lines"


def test_nothing_is_left_to_do() -> None:
    found = [f"{name}: {match[0]}" for name, text in TEXTS.items() for match in [UNFINISHED.search(text)] if match]
    assert found == []


def named(page: str) -> set[str]:
    """The files and folders that a page names: in backticks, with a slash or an ending, and in its links."""
    text = TEXTS[page]
    spoken = set(re.findall(r"`([\w.*-]+(?:/[\w.*<>-]*)+|[\w-]+\.(?:py|sh|md|json|yaml|toml|j2))`", text))
    if page.startswith("docs/"):  # where most names are those of a user's files
        spoken = {name for name in spoken if name.partition("/")[0] in FOLDERS}
    links = {link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link}
    return {name for name in spoken | links if "<" not in name and not name.startswith("/")} - OF_OTHERS


def exists(name: str, page: str) -> bool:
    """Whether a name is a path from the root or from the page's folder, or the end of a path, as in `launch/flow.py`."""
    folder = Path(page).parent
    if any((ROOT / base / name.rstrip("/")).exists() for base in (".", folder)):
        return True
    pattern = re.compile(r"(^|/)" + re.escape(name.rstrip("/")).replace(r"\*", "[^/]*") + r"(/|$)")
    return any(pattern.search(other) for other in tracked())


def anchors(text: str) -> set[str]:
    """The fragments of a page's headings as GitHub makes them: lower case, blanks to `-`, other signs left out."""
    heads = re.findall(r"^#+ +(.+)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_headings(page: str) -> None:
    links = [link for link in re.findall(r"\]\(([^)\s]*#[^)\s]+)\)", TEXTS[page]) if "://" not in link]
    wrong = []
    for link in links:
        other, _, fragment = link.partition("#")
        text = (ROOT / page).parent.joinpath(other).read_text(encoding="utf-8") if other else TEXTS[page]
        wrong += [link] if fragment not in anchors(text) else []
    assert wrong == []


@pytest.mark.parametrize("page", PAGES)
def test_pages_name_what_exists(page: str) -> None:
    assert sorted(name for name in named(page) if not exists(name, page)) == []


def test_architecture_has_every_folder_and_its_modules() -> None:
    rows = [line for line in TEXTS["ARCHITECTURE.md"].splitlines() if line.startswith("| `generator/mngen/")]
    rows = {row.split("`")[1].rstrip("/"): row for row in rows}
    folders = {"/".join(name.split("/")[:3]) for name in tracked() if re.match(r"generator/mngen/[a-z]+/", name)}
    assert folders - rows.keys() == set()
    for folder, row in rows.items():
        modules = set(re.findall(r"`([a-z_]+)\*?`", row.split("|")[2]))
        assert [name for name in sorted(modules) if not list((ROOT / folder).glob(f"{name}*"))] == [], row
