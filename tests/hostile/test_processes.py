"""Values of `env` and of the driver's arguments, on every way to run: they arrive byte for byte, and nothing runs."""

import contextlib
import json

import pytest
import ways
from generated import place
from msgspec.structs import replace
from packed import HEAD, Sorted, counted, scalar, sort
from values import CURATED, NOT_TEXT, pool

from mngen.diagnostics import Severity
from mngen.manifest.load import load
from mngen.manifest.model import Manifest

SECRETS = {f"S{number}": value for number, value in enumerate(CURATED[::5]) if value and value not in NOT_TEXT}
"""Values of the submitting shell, which are handed over by name alone."""
FINAL = "targets: {job: {kind: slurm}}\n"


@pytest.fixture(scope="module")
def env() -> Sorted:
    """Which values a variable may have."""
    head = HEAD + "driver: {command: [sim-driver]}\nenv:\n"
    return sort(pool(), head, lambda number, text: f"  V{number:04}: {text}", FINAL)


@pytest.fixture(scope="module")
def args() -> Sorted:
    """Which values an argument may have."""
    head = HEAD + "driver:\n  command: [sim-driver]\n  args:\n"
    return sort(pool(), head, lambda _, text: f"    - {text}", FINAL)


def test_many_values_are_tried(env: Sorted, args: Sorted) -> None:
    counted("env value", pool(), env.refused)
    counted("driver argument", pool(), args.refused)


def test_what_is_refused_is_nul_or_no_text(env: Sorted, args: Sorted) -> None:
    for found in (env, args):
        assert set(found.refused.values()) == {"MN100", "MN104"}
        for value, code in found.refused.items():
            assert ("\0" in value) == (code == "MN104")
            assert code == "MN104" or any(0xD800 <= ord(char) <= 0xDFFF for char in value)


@pytest.fixture(scope="module")
def manifest(env: Sorted, args: Sorted) -> Manifest:
    """All values in one manifest, with a target for each way to run."""
    lines = [
        HEAD,
        "env:\n",
        *(f"  V{number:04}: {scalar(value)}\n" for number, value in enumerate(env.accepted)),
        "driver:\n  command: [sim-driver]\n  args:\n",
        *(f"    - {scalar(value)}\n" for value in args.accepted),
        f"secrets: {json.dumps({name: {} for name in SECRETS})}\n",
        f"targets: {json.dumps({way: ways.target(way) for way in ways.WAYS})}\n",
    ]
    loaded = load("".join(lines), "manifest.yaml")
    assert loaded.manifest is not None, [item for item in loaded.diagnostics if item.severity is Severity.ERROR]
    return loaded.manifest


@pytest.mark.parametrize("way", ways.WAYS)
def test_every_value_reaches_the_driver_and_ray(way: str, manifest: Manifest, env: Sorted, args: Sorted) -> None:
    with contextlib.closing(ways.cluster(way, nodes=1)) as sim:
        status, log = ways.run(way, sim, place(sim, manifest, way), env=SECRETS)
        assert status == 0, log
        (driver,) = sim.records("driver")
        (ray,) = [call for call in sim.records("ray") if call["argv"][0] == "start"]
        assert driver["argv"] == list(args.accepted)
        assert wrong(env, driver["env"]) == {}
        assert wrong(env, ray["env"]) == {}
        assert {name: driver["env"][name] for name in SECRETS} == SECRETS
        assert ways.clutter(sim) == []


def test_every_value_reaches_a_submitted_job(manifest: Manifest, env: Sorted, args: Sorted) -> None:
    (target,) = [item for item in manifest.targets if item.name == "none"]
    submitted = replace(target, driver=replace(target.driver, submit="ray-job"))
    with contextlib.closing(ways.cluster("none", nodes=1)) as sim:
        folder = place(sim, replace(manifest, targets=(submitted,)), "none")
        status, log = ways.run("none", sim, folder, env=SECRETS)
        assert status == 0, log
        (driver,) = sim.records("driver")
        assert driver["argv"] == list(args.accepted)
        assert wrong(env, driver["env"]) == {}
        assert ways.clutter(sim) == []


def wrong(env: Sorted, found: dict[str, str]) -> dict[str, tuple[str, str | None]]:
    """Variables that differ: what was meant, and what came."""
    meant = {f"V{number:04}": value for number, value in enumerate(env.accepted)}
    return {name: (value, found.get(name)) for name, value in meant.items() if found.get(name) != value}
