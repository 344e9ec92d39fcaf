"""Whatever a template is given, some template reads."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from msgspec.structs import fields

sys.path.insert(0, str(Path(__file__).resolve().parent))

from repository import ROOT

from mngen.launch.model import LaunchScript, SlurmHelper
from mngen.targets.readme import Section

TEMPLATES = "\n".join(path.read_text() for path in sorted((ROOT / "templates").rglob("*.j2")))


@pytest.mark.parametrize(("variable", "context"), [("s", LaunchScript), ("h", SlurmHelper), ("section", Section)])
def test_templates_read_every_field(variable: str, context: type) -> None:
    read = set(re.findall(rf"\b{variable}\.(\w+)", TEMPLATES))
    assert [field.name for field in fields(context) if field.name not in read] == []
