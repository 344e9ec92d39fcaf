"""The floor of any reader of manifests: compose a text and validate it, as often as the second argument says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import yaml
from jsonschema import Draft7Validator

ROOT = Path(__file__).resolve().parents[1]

text = Path(sys.argv[1]).read_text(encoding="utf-8")
schema = json.loads((ROOT / "schemas" / "manifest.v1.schema.json").read_text(encoding="utf-8"))
validator = Draft7Validator(schema)
for _ in range(int(sys.argv[2])):
    node = yaml.compose(text, Loader=yaml.CSafeLoader)
    validator.validate(yaml.constructor.SafeConstructor().construct_document(node))
