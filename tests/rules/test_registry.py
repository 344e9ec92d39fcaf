"""The rules as a whole: every code is registered, reached by a case, and says how to mend."""

from __future__ import annotations

import importlib.util
import pkgutil
import re
from pathlib import Path

import pytest

from mngen.codes import CODES
from mngen.codes.fields import FIELD_CODES
from mngen.codes.ray import RAY_CODES
from mngen.codes.slurm import SLURM_CODES
from mngen.diagnostics import Severity
from mngen.manifest import rules

HERE = Path(__file__).parent
MODULES = tuple(file.stem for file in sorted(HERE.glob("test_*.py")) if "\nCASES = {" in file.read_text())


def all_cases():
    for name in MODULES:
        spec = importlib.util.spec_from_file_location(f"cases_{name}", HERE / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for title, (fields, expected) in module.CASES.items():
            yield f"{name}: {title}", fields, expected


ALL = list(all_cases())


def test_codes_of_the_sources_are_registered():
    used = set()
    for file in Path(rules.__file__).parent.glob("*.py"):
        if not file.name.startswith("image_"):
            used |= set(re.findall(r'"(MN[23]\d\d)"', file.read_text()))
    assert used == {*RAY_CODES, *SLURM_CODES, *FIELD_CODES}
    assert used <= set(CODES)


def test_every_code_has_a_case():
    reached = {code[:5] for _, _, expected in ALL for code in expected}
    # A wrong value (MN104) is the schema's to find; a rule finds those that a pattern cannot weigh. MN120 is of any text,
    # MN821 an image's.
    assert reached - {"MN104", "MN120", "MN821"} == {*RAY_CODES, *SLURM_CODES, *FIELD_CODES}


def test_every_code_that_refuses_has_a_case_beside_it_that_passes():
    assert sum(1 for _, _, expected in ALL if not expected) > 100


@pytest.mark.parametrize(("title", "fields", "expected"), ALL, ids=[title for title, _, _ in ALL])
def test_every_finding_has_a_place_a_hint_and_one_line(findings, title, fields, expected):
    for found in findings(**fields):
        assert found.span is not None
        assert found.hint
        assert "\n" not in found.message.replace("\\n", "")
        assert found.severity in set(Severity)
        assert all(label.span != found.span for label in found.labels)


def test_every_module_with_a_check_is_in_the_registry():
    listed = {rule.__module__ for rule in rules.TARGET_RULES} | {rule.__module__ for rule in rules.MANIFEST_RULES}
    for module in pkgutil.iter_modules(rules.__path__, "mngen.manifest.rules."):
        loaded = importlib.import_module(module.name)
        if hasattr(loaded, "check"):
            assert module.name in listed


def test_one_finding_for_all_targets(target, manifest):
    one = target(name="a", env={"HEAD_IP": "x"})
    other = target(name="b", env={"HEAD_IP": "x"}, spans=one.spans)
    (found,) = rules.check(manifest(one, other))
    assert "target" not in found.message


def test_a_finding_of_some_targets_names_them(target, manifest):
    one = target(name="a", env={"HEAD_IP": "x"})
    other = target(name="b", spans=one.spans)
    (found,) = rules.check(manifest(one, other))
    assert found.message.endswith("(target a)")


def test_rules_depend_on_nothing_but_the_manifest(target, manifest):
    subject = manifest(target(env={"HEAD_IP": "x", "GLOO_SOCKET_IFNAME": "^lo"}, ray={"version": "2.48"}))
    assert rules.check(subject) == rules.check(subject)
