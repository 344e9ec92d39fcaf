"""A pytest plugin: which shell functions are in the files that each test renders, and how long the test takes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mutants
import pytest

from mngen import render as renderer


class Recorder:
    """Collects names by test; what a session's fixture renders counts for every test that asks for it."""

    def __init__(self) -> None:
        self.tests: dict[str, dict[str, Any]] = {}
        self.fixtures: dict[str, set[str]] = {}
        self.sinks: list[set[str]] = []
        self.original = renderer.render
        self.known = mutants.find(Path(mutants.__file__).resolve().parents[2])

    def render(self, *args: Any, **options: Any) -> Any:
        tree = self.original(*args, **options)
        if self.sinks:
            for file in tree.files:
                self.sinks[-1].update(str(mutant) for mutant in self.known if mutant.rendered_in(file.text))
        return tree

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        if fixturedef.scope == "function":
            return (yield)
        self.sinks.append(self.fixtures.setdefault(fixturedef.argname, set()))
        try:
            return (yield)
        finally:
            self.sinks.pop()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        own: set[str] = set()
        self.sinks.append(own)
        self.tests[item.nodeid] = {"seconds": 0.0, "passed": True}
        try:
            return (yield)
        finally:
            self.sinks.pop()
            shared = [self.fixtures[name] for name in item.fixturenames if name in self.fixtures]
            self.tests[item.nodeid]["functions"] = sorted(own.union(*shared))

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.tests[report.nodeid]["seconds"] += report.duration
        self.tests[report.nodeid]["passed"] &= report.passed

    def pytest_sessionfinish(self) -> None:
        Path(os.environ["MUTATION_RECORD"]).write_text(json.dumps(self.tests, indent=1))


def pytest_configure(config: pytest.Config) -> None:
    """Watch the renderer from here on."""
    recorder = Recorder()
    renderer.render = recorder.render
    config.pluginmanager.register(recorder)
