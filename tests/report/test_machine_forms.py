"""JSON, GitHub annotations and SARIF."""

from __future__ import annotations

import json
import os

import pytest

from mngen.diagnostics import Diagnostic, Label, Severity, Span
from mngen.report import github, json_report, sarif

FOUND = [
    Diagnostic(
        "MN505",
        Severity.ERROR,
        "100% bad, really:\nyes",
        Span("a b.yaml", 6, 3, 6, 11),
        hint="mend it",
        labels=(Label(Span("site.yaml", 2, 1), "here"),),
    ),
    Diagnostic("SC2086", Severity.WARNING, "quote this", Span("<stdin>", 1, 2)),
    Diagnostic("MN250", Severity.NOTE, "no effect"),
]


def test_json_is_versioned_and_complete() -> None:
    document = json.loads(json_report.render(FOUND, {"files": []}))
    assert document["format"] == 1
    assert document["files"] == []
    assert document["summary"] == {"error": 1, "warning": 1, "note": 1}
    assert document["diagnostics"][2] == {
        "code": "MN505",
        "severity": "error",
        "message": "100% bad, really:\nyes",
        "hint": "mend it",
        "span": {"file": "a b.yaml", "line": 6, "column": 3, "end_line": 6, "end_column": 11},
        "labels": [
            {
                "span": {"file": "site.yaml", "line": 2, "column": 1, "end_line": None, "end_column": None},
                "text": "here",
            }
        ],
    }


def test_github_escapes_what_would_end_a_command() -> None:
    assert github.render(FOUND).splitlines() == [
        "::notice title=MN250::no effect",
        "::warning title=SC2086::quote this",
        "::error file=a b.yaml,line=6,col=3,title=MN505::100%25 bad, really:%0Ayes%0Ahint: mend it",
    ]


def test_github_properties_escape_commas_and_colons() -> None:
    found = Diagnostic("MN101", Severity.ERROR, "m", Span("C:\\a,b.yaml", 1))
    assert github.render([found]) == "::error file=C%3A\\a%2Cb.yaml,line=1,title=MN101::m\n"


def test_sarif_has_rules_levels_and_regions() -> None:
    log = json.loads(sarif.render(FOUND))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["MN250", "MN505", "SC2086"]
    assert rules[1]["shortDescription"]["text"] == "file is not mngen's"
    assert [result["level"] for result in run["results"]] == ["note", "warning", "error"]
    last = run["results"][2]
    assert rules[last["ruleIndex"]]["id"] == last["ruleId"] == "MN505"
    assert last["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "a%20b.yaml"},
                "region": {"startLine": 6, "startColumn": 3, "endLine": 6, "endColumn": 11},
            }
        }
    ]
    assert last["relatedLocations"][0]["message"] == {"text": "here"}
    assert "locations" not in run["results"][0]


@pytest.mark.parametrize(
    ("name", "uri"),
    [(b"b\xff.sh", "b%FF.sh"), ("ä b.yaml".encode(), "%C3%A4%20b.yaml"), (b"a\xe9/100%.sh", "a%E9/100%25.sh")],
)
def test_a_file_name_of_any_bytes_is_named_in_every_form(name, uri) -> None:
    span = Span(os.fsdecode(name), 1, 1)
    found = [Diagnostic("MN505", Severity.ERROR, f"`{os.fsdecode(name)}` is bad", span, labels=(Label(span, "here"),))]
    (result,) = json.loads(sarif.render(found))["runs"][0]["results"]
    places = [result["locations"][0], result["relatedLocations"][0]]
    assert [place["physicalLocation"]["artifactLocation"]["uri"] for place in places] == [uri, uri]
    assert json.loads(json_report.render(found))["diagnostics"][0]["span"]["file"] == os.fsdecode(name)
    assert github.render(found)
