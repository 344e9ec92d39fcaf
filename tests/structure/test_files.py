"""What holds for every file of the repository: its size, its words, and that the pages name what exists."""

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

PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "golden/README.md", "CHANGELOG.md")

NOT_OF_THE_PROJECT = [
    # Written in pieces, so that this file may be searched too.
    r"/wo" + r"rk/(?:main|notes|shared)",
    r"(?:files\.|test\.)?pyp" + r"i\.(?:org|python\.org)|pythonho" + r"sted\.org",
    r"registry\.np" + r"mjs|proxy\.gol" + r"ang|(?:deb|security)\.deb" + r"ian\.org|archive\.ubun" + r"tu",
    r"(?i)\b(?:sub|helper |coding |ai )ag" + r"ents?\b",
    r"(?i)\b(?:cla" + r"ude|anthro" + r"pic|chat" + r"gpt|open" + r"ai codex)\b",
    r"(?i)\b(?:this|my|our|an earlier|a previous|the last|another) sess" + r"ion\b",
    r"(?i)\b(?:fact|brief|hand-?over)s?/[a-z_]+\.md\b",
    r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b",
]


HOSTS_ARE_THE_SUBJECT = re.compile(
    r"schemas/|docs/(manifest|errors|offline)\.md|golden/(offline|everything)/|golden/errors/MN\w+-mirror"
    r"|generator/mngen/(codes_\w+|manifest/(mirrors|contacts|rules/mirror_hosts)|images/contacts)\.py"
    r"|tests/(images|rules|targets|cli)/test_(mirrors|gpus|fields|contacts|urls)\.py|tests/engines/real_sif\.py"
)
"""Files on mirrors, which have to name the places that mirrors are of."""


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


@pytest.mark.parametrize("pattern", NOT_OF_THE_PROJECT)
def test_the_project_speaks_of_itself_alone(pattern: str) -> None:
    hosts = r"\." in pattern and "(?i)" not in pattern
    searched = {name: text for name, text in TEXTS.items() if not (hosts and HOSTS_ARE_THE_SUBJECT.match(name))}
    found = [f"{name}: {match[0]}" for name, text in searched.items() for match in [re.search(pattern, text)] if match]
    assert found == []


def named(page: str) -> set[str]:
    """The files and folders that a page names: in backticks, with a slash or an ending, and in its links."""
    text = TEXTS[page]
    spoken = set(re.findall(r"`([\w.*-]+(?:/[\w.*<>-]*)+|[\w-]+\.(?:py|sh|md|json|yaml|toml|j2))`", text))
    links = {link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link}
    return {name for name in spoken | links if "<" not in name and not name.startswith("/")} - OF_OTHERS


def exists(name: str, page: str) -> bool:
    """Whether a name is a path from the root or from the page's folder, or the end of a path, as in `launch/flow.py`."""
    folder = Path(page).parent
    if any((ROOT / base / name.rstrip("/")).exists() for base in (".", folder)):
        return True
    pattern = re.compile(r"(^|/)" + re.escape(name.rstrip("/")).replace(r"\*", "[^/]*") + r"(/|$)")
    return any(pattern.search(other) for other in tracked())


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
