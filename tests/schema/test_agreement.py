"""The schema, the model and the tables beside it say the same."""

from __future__ import annotations

import typing
from enum import Enum

import msgspec
import pytest

from mngen import targets
from mngen.checks.option_tables import table
from mngen.manifest import model
from mngen.manifest.definitions import KINDS, definition, resolved
from mngen.manifest.judging.slurm_options import TYPED
from mngen.targets.slurm_options import OPTIONS, Form

PAIRS = {
    "resources": model.Resources,
    "code": model.Code,
    "mount": model.Mount,
    "secret": model.Secret,
    "container": model.Container,
    "network": model.Network,
    "mirrors": model.Mirrors,
    "ray": model.Ray,
    "ray/dashboard": model.Dashboard,
    "prepare-step": model.Prepare,
    "service": model.Service,
    "service/ready": model.Ready,
    "runtime_env": model.RuntimeEnv,
    "driver": model.Driver,
    "logs": model.Logs,
    "on_time_limit": model.OnTimeLimit,
    "retry": model.Retry,
    "resume": model.Resume,
    "debug": model.Debug,
    "endpoint": model.Endpoint,
    "slurm/gpu_request": model.GpuRequest,
}
RENAMED = {"from": "submit_from", "run": "script"}
"""Keys that are no names in Python, or that hold more in the model."""
OF_THE_MODEL = {"span", "name", "has_port", "shares_gpus"}
"""What the model knows beside the keys: the place, and the key of the map around it."""
NAMES = {
    "variant": model.Variant,
    "runtime": model.Runtime,
    "where": model.Where,
}


def keys(path):
    name, _, inner = path.partition("/")
    node = definition(name)
    return {
        key: resolved(value)
        for key, value in (node["properties"][inner] if inner else node)["properties"].items()
    }  # fmt: skip


def plain(value):
    if isinstance(value, Enum):
        return value.value
    return list(value) if isinstance(value, tuple) else value


def default_of(field):
    if field.default is not msgspec.NODEFAULT:
        return plain(field.default)
    return None if field.default_factory is msgspec.NODEFAULT else plain(field.default_factory())


@pytest.mark.parametrize("path", PAIRS)
def test_same_fields(path):
    named = {RENAMED.get(key, key) for key in keys(path)}
    known = {field.name for field in msgspec.structs.fields(PAIRS[path])}
    assert named - known == set()
    assert known - named <= OF_THE_MODEL


@pytest.mark.parametrize("path", PAIRS)
def test_same_defaults(path):
    known = {field.name: field for field in msgspec.structs.fields(PAIRS[path])}
    for key, node in keys(path).items():
        if "default" in node:
            assert default_of(known[RENAMED.get(key, key)]) == node["default"], key


@pytest.mark.parametrize("path", PAIRS)
def test_a_meaningful_default_of_the_model_is_in_the_schema(path):
    known = {field.name: field for field in msgspec.structs.fields(PAIRS[path])}
    for key, node in keys(path).items():
        default = default_of(known[RENAMED.get(key, key)])
        if isinstance(default, str | int | bool):
            assert node.get("default") == default, key


@pytest.mark.parametrize("name", NAMES)
def test_same_choices(name):
    assert definition(name)["enum"] == [member.value for member in NAMES[name]]


def test_kinds():
    assert tuple(targets.KINDS) == KINDS


def test_target_fields():
    known = {field.name: field for field in msgspec.structs.fields(model.Target)}
    named = set(definition("target-fields")["properties"])
    assert named - set(known) == {"site", "vars"}, "merged away before the model"
    assert set(known) - named == {"name", "workload", "built_image", "spans"}
    for name in ("variant", "runtime", "on_node_loss"):
        assert default_of(known[name]) == definition(name)["default"]


def test_memory():
    inner = keys("resources")["memory"]["properties"]
    assert set(inner) == {field.name for field in msgspec.structs.fields(model.Memory)} - {"per_node"}


def slurm_fields():
    return {
        key: node for key, node in keys("slurm").items() if key not in {"gpu_request", "version", "extra", "srun_args"}
    }


def test_slurm_fields_are_in_the_table():
    assert set(OPTIONS) == set(slurm_fields())


def test_slurm_table_agrees_with_the_rules():
    mine = {field: f"--{row.option}" for field, row in OPTIONS.items() if field not in {"output", "error"}}
    assert mine == TYPED


@pytest.mark.parametrize("field", OPTIONS)
def test_slurm_option_is_one_of_sbatch(field):
    row = OPTIONS[field]
    known = table("sbatch").find(f"--{row.option}")
    assert known is not None
    assert known.since == row.since
    assert known.takes_value or known.kind == "optional" or row.form in {Form.FLAG, Form.OPPOSITE}


@pytest.mark.parametrize("field", OPTIONS)
def test_slurm_form_fits_the_schema(field):
    kinds = slurm_fields()[field]["type"]
    takes_boolean = kinds == "boolean" or (field == "exclusive")
    assert takes_boolean == (OPTIONS[field].form is not Form.VALUE)


def test_signals_and_forms_are_literal_choices():
    """The model keeps small choices as text; they are the schema's."""
    hints = typing.get_type_hints(model.OnTimeLimit)
    assert hints["signal"] is str
    assert model.OnTimeLimit().signal in keys("on_time_limit")["signal"]["enum"]
