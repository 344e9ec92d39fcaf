"""The live view: a line for each node on a terminal, plain lines elsewhere, nothing with -q."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from mngen.cli.rehearsal_view import showing
from mngen.cli.ui import Ui
from mngen.rehearse.cluster import Cluster
from mngen.rehearse.page import page
from mngen.rehearse.view import Event

EVENTS = (
    Event(0.4, "node1", "started"),
    Event(1.0, "node1", "address", "10.77.0.1 (head)"),
    Event(1.2, "node2", "joined"),
    Event(1.3, "node1", "services", "redis-server"),
    Event(1.4, "node1", "services", "retriever"),
    Event(2.0, "node1", "driver"),
    Event(3.5, "node1", "end", "status 0"),
)


def shown(monkeypatch: pytest.MonkeyPatch, ui: Ui) -> str:
    """All that a terminal gets."""
    master, slave = os.openpty()
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with os.fdopen(slave, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with showing(ui, ("node1", "node2")) as show:
            for event in EVENTS:
                show(event)
        terminal.flush()
        os.set_blocking(master, False)
        try:
            return os.read(master, 1 << 20).decode()
        except BlockingIOError:
            return ""
        finally:
            os.close(master)


def test_a_terminal_without_rich_gets_a_line_for_each_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """`pip install .` does not install it."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "rich"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "rich", None)
    text = shown(monkeypatch, Ui())
    assert text.replace("\r", "").splitlines()[:2] == [
        "   0.4 s  node1        started",
        "   1.0 s  node1        address   10.77.0.1 (head)",
    ]


def test_a_terminal_shows_a_line_for_each_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    text = shown(monkeypatch, Ui())
    assert "\x1b[1A" in text, "each event draws the lines anew"
    last = [re.sub(r"\s+", " ", line).strip() for line in re.sub(r"\x1b\[[^A-Za-z]*[A-Za-z]", "", text).splitlines()]
    assert "node1 0.4 s 10.77.0.1 (head) 2 at 1.4 s 2.0 s status 0 at 3.5 s" in last
    assert "node2 1.2 s" in last
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", text), "NO_COLOR"


def test_elsewhere_each_event_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    said = io.TextIOWrapper(written)
    monkeypatch.setattr(sys, "stderr", said)
    with showing(Ui(), ("node1", "node2")) as show:
        show(EVENTS[1])
    said.flush()
    assert written.getvalue() == b"   1.0 s  node1        address   10.77.0.1 (head)\n"


def test_quiet_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, Ui(verbosity=-1)) == ""


def test_a_record_that_is_being_written_waits_for_its_end(tmp_path: Path) -> None:
    records = tmp_path / "records"
    records.mkdir()
    (records / "ray.jsonl").write_text('{"node": "node1"}\n{"node": "no')
    assert Cluster.records(SimpleNamespace(root=tmp_path), "ray") == [{"node": "node1"}]  # type: ignore[arg-type] # of its parts, only this is read


def test_the_page_of_the_docs_is_current() -> None:
    docs = Path(__file__).resolve().parents[2] / "docs"
    assert (docs / "rehearse.md").read_text() == page(), "run: make docs"
