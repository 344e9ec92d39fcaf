"""The text report, character by character."""

from __future__ import annotations

import re
import textwrap
from typing import Any

import pytest

from mngen.diagnostics import Diagnostic, Label, Severity, Span
from mngen.report import snippet as snippets
from mngen.report import text
from mngen.report.snippet import MAX_COLUMNS


def report(diagnostic: Diagnostic, source: str = "", *, color: bool = False) -> str:
    return text.render([diagnostic], {"job.yaml": source.split("\n")}, color=color)


def error(message: str, span: Span | None = None, **more: Any) -> Diagnostic:
    return Diagnostic("MN101", Severity.ERROR, message, span, **more)


def exactly(expected: str) -> str:
    return textwrap.dedent(expected).lstrip("\n")


def test_a_finding_with_everything() -> None:
    source = "a\nb\nc\nd\ntarget:\n  partiton: gpu"
    found = error("unknown key `partiton` in `target`", Span("job.yaml", 6, 3, 6, 11), hint="did you mean `partition`?")
    assert report(found, source) == exactly("""
        error[MN101]: unknown key `partiton` in `target`
          --> job.yaml:6:3
           |
         6 |   partiton: gpu
           |   ^^^^^^^^
           = hint: did you mean `partition`?
        """)


def test_wide_line_numbers_move_the_gutter() -> None:
    assert report(error("bad", Span("job.yaml", 120, 1, 120, 4)), "\n" * 119 + "key: 1") == exactly("""
        error[MN101]: bad
            --> job.yaml:120:1
             |
         120 | key: 1
             | ^^^
        """)


def test_a_second_place_is_quoted_too() -> None:
    found = error(
        "key `a` is given twice",
        Span("job.yaml", 10, 1, 10, 2),
        labels=(Label(Span("job.yaml", 1, 1, 1, 2), "first given here"),),
    )
    assert report(found, "a: 1\n" + "\n" * 8 + "a: 2") == exactly("""
        error[MN101]: key `a` is given twice
           --> job.yaml:10:1
            |
         10 | a: 2
            | ^
           ::: job.yaml:1:1
            |
          1 | a: 1
            | - first given here
        """)


def test_a_label_without_source_keeps_its_words() -> None:
    found = error("clash", labels=(Label(Span("site.yaml", 3), "the site says so"),))
    assert report(found) == exactly("""
        error[MN101]: clash
          ::: site.yaml:3
           = the site says so
        """)


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        (None, "error[MN101]: bad\n"),
        (Span("job.yaml"), "error[MN101]: bad\n  --> job.yaml\n"),
        (Span("other.yaml", 3, 1), "error[MN101]: bad\n  --> other.yaml:3:1\n"),
        (Span("job.yaml", 99, 1), "error[MN101]: bad\n   --> job.yaml:99:1\n"),
        (Span("job.yaml", 1), "error[MN101]: bad\n  --> job.yaml:1\n   |\n 1 | key: v\n   | ^^^^^^\n"),
        (Span("other.yaml", 7), "error[MN101]: bad\n  --> other.yaml:7\n"),
        (Span("job.yaml", 1, 6), "error[MN101]: bad\n  --> job.yaml:1:6\n   |\n 1 | key: v\n   |      ^\n"),
        (Span("job.yaml", 1, 7), "error[MN101]: bad\n  --> job.yaml:1:7\n   |\n 1 | key: v\n   |       ^\n"),
        (Span("job.yaml", 1, 40), "error[MN101]: bad\n  --> job.yaml:1:40\n   |\n 1 | key: v\n   |       ^\n"),
        (Span("job.yaml", 1, 1, 1, 1), "error[MN101]: bad\n  --> job.yaml:1:1\n   |\n 1 | key: v\n   | ^\n"),
        (Span("job.yaml", 1, 6, 3, 2), "error[MN101]: bad\n  --> job.yaml:1:6\n   |\n 1 | key: v\n   |      ^\n"),
    ],
)
def test_partly_known_places(span: Span | None, expected: str) -> None:
    assert report(error("bad", span), "key: v") == expected


def test_a_line_without_a_column_is_marked_without_its_indentation() -> None:
    assert report(error("bad", Span("job.yaml", 1)), "  key: v").split("\n")[4] == "   |   ^^^^^^"


@pytest.mark.parametrize(
    ("line", "column", "end", "below"),
    [
        ("名前: x", 5, 6, "      ^"),
        ("名前: x", 1, 3, "^^^^"),
        ("e\u0301: x", 4, 5, "  ^"),
        ("\tkey: x", 2, 5, "    ^^^"),
    ],
)
def test_carets_stand_below_the_characters(line: str, column: int, end: int, below: str) -> None:
    assert report(error("bad", Span("job.yaml", 1, column, 1, end)), line).split("\n")[4] == "   | " + below


def test_text_cannot_command_the_terminal() -> None:
    found = error("bad \x1b[2J\u202e", Span("job.yaml", 1, 1, 1, 2), hint="see \x07")
    assert report(found, "\x1b]0;title\x07") == exactly(r"""
        error[MN101]: bad \u{1b}[2J\u{202e}
          --> job.yaml:1:1
           |
         1 | \u{1b}]0;title\u{7}
           | ^^^^^^
           = hint: see \u{7}
        """)


@pytest.mark.parametrize("start", [0, 50, 120, 500, 990])
def test_a_long_line_is_cut_around_the_place(start: int) -> None:
    line = "".join("word "[i % 5] for i in range(1000))
    lines = report(error("bad", Span("job.yaml", 1, start + 1, 1, start + 5)), line).split("\n")
    assert len(lines[3]) <= MAX_COLUMNS + 8
    marked = slice(lines[4].index("^"), lines[4].rindex("^") + 1)
    assert lines[3][marked] == line[start : start + 4].rstrip() or lines[3][marked] == line[start : start + 4]


def test_a_mark_longer_than_the_window_ends_with_it() -> None:
    lines = report(error("bad", Span("job.yaml", 1, 1, 1, 900)), "x" * 900).split("\n")
    assert lines[3].endswith("…")
    assert len(lines[4]) <= MAX_COLUMNS + 8


def test_messages_and_hints_of_several_lines() -> None:
    found = error("first\nsecond", hint="one of:\n  a\n  b")
    assert report(found) == exactly("""
        error[MN101]: first
             second
           = hint: one of:
                     a
                     b
        """)


def test_findings_come_in_order_of_place_with_a_blank_line_between() -> None:
    late, early = error("late", Span("b.yaml", 2, 1)), error("early", Span("b.yaml", 1, 1))
    assert text.render([late, early], {}) == (
        "error[MN101]: early\n  --> b.yaml:1:1\n\nerror[MN101]: late\n  --> b.yaml:2:1\n"
    )


def test_nothing_found_is_no_text() -> None:
    assert text.render([], {}) == ""
    assert text.summary([]) == ""


def test_the_summary_counts_in_words() -> None:
    warning = Diagnostic("MN201", Severity.WARNING, "w")
    assert text.summary([error("a"), error("b"), warning]) == "2 errors, 1 warning"


def test_colour_adds_only_colour() -> None:
    found = error("bad", Span("job.yaml", 1, 1, 1, 4), hint="mend it")
    colored = report(found, "key: v", color=True)
    assert "\x1b[1;31merror[MN101]" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == report(found, "key: v")


@pytest.mark.parametrize("column", [1, 90, 150, 50_000, 99_990, 100_001])
def test_of_a_very_long_line_only_what_may_be_shown_is_looked_at(monkeypatch: pytest.MonkeyPatch, column: int) -> None:
    """Each of thousands of findings may be in the same line."""
    seen: list[str] = []
    monkeypatch.setattr(snippets, "visible_character", lambda one: seen.append(one) or one)
    line = "".join(f"{number:>5}" for number in range(20_000))
    shown = snippets.snippet(Span("f", 1, column, 1, column + 3), [line])
    assert shown is not None
    assert len(seen) <= 4 * MAX_COLUMNS
    assert shown.text[shown.offset : shown.offset + 3].strip() == line[column - 1 : column + 2].strip()
