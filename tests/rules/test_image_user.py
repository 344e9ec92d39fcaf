"""The user of a described image, and the folder of a job, which whoever submits it alone can read."""

from __future__ import annotations

import pytest

from mngen.diagnostics import Severity
from mngen.manifest.load import LoadOptions, load

FRAME = """
apiVersion: mngen/v1
name: example
driver: {{command: [train]}}
resources: {{shm: 64G}}
image:
  repository: registry.example.org/rl/verl
  variants:
    cuda: {{tag: "1", base: "ubuntu:24.04"{own}}}
  pip: {{packages: [ray]}}
{common}
targets:
  job: {target}
"""
TRAINER = "  user: {name: trainer, uid: 1234}"


def said(target, common=TRAINER, own=""):
    """What is found, and the line it stands on."""
    text = FRAME.format(common=common, own=own, target=target)
    lines = text.split("\n")
    return [(found, lines[found.span.line - 1]) for found in load(text, "m.yaml", LoadOptions()).diagnostics]


@pytest.mark.parametrize("kind", ["slurm", "manual"])
@pytest.mark.parametrize("runtime", ["docker", "podman"])
@pytest.mark.parametrize(
    ("common", "own", "names"),
    [
        (TRAINER, "", "1234"),
        ("", ", user: {name: trainer}", "1000"),
        (TRAINER, ", user: {name: other, uid: 4321}", "4321"),
        ("  arbitrary_uid: true", "", "1001"),
        ("", ", arbitrary_uid: true", "1001"),
        (TRAINER + "\n  arbitrary_uid: true", "", "1234"),
    ],
)
def test_a_user_who_cannot_read_the_jobs_folder_is_warned_of(kind, runtime, common, own, names):
    ((found, line),) = said(f"{{kind: {kind}, runtime: {runtime}}}", common, own)
    assert (found.code, found.severity) == ("MN270", Severity.WARNING)
    assert names in found.message
    assert runtime in found.message
    assert "container: {user: host}" in found.hint
    assert line.strip() in {
        part.strip() for part in f'{common}\n    cuda: {{tag: "1", base: "ubuntu:24.04"{own}}}'.split("\n")
    }
    assert "user" in line or "arbitrary_uid" in line


@pytest.mark.parametrize(
    "target",
    [
        "{kind: slurm, runtime: docker, container: {user: host}}",
        "{kind: slurm, runtime: podman, container: {user: host}}",
        "{kind: slurm, runtime: docker, container: {user: image}}",
        "{kind: slurm, runtime: docker, container: {options: [--user, '0']}}",
        "{kind: slurm, runtime: docker, container: {options: ['-u=0']}}",
        "{kind: slurm, runtime: podman, container: {options: [--userns=keep-id]}}",
        "{kind: slurm, runtime: apptainer}",
        "{kind: slurm, runtime: pyxis}",
        "{kind: slurm, runtime: none}",
        "{kind: slurm, runtime: prefix, container: {prefix: [enter]}}",
        "{kind: skypilot}",
        "{kind: dstack}",
        "{kind: slurm, runtime: docker, image: {ref: 'a/b:1'}}",
    ],
)
def test_who_can_read_it_or_was_chosen_is_not(target):
    assert [found.code for found, _ in said(target) if found.severity is not Severity.NOTE] == []


def test_root_reads_it():
    assert said("{kind: slurm, runtime: docker}", common="") == []


def of_the_user(user, target="{kind: slurm, runtime: apptainer}", own=""):
    return [(found, line) for found, line in said(target, f"  user: {user}", own) if found.code == "MN819"]


@pytest.mark.parametrize("name", ["root", "daemon", "www-data", "nobody", "_apt", "games"])
def test_an_account_of_the_system_is_no_user_of_an_image(name):
    ((found, line),) = of_the_user(f"{{name: {name}}}")
    assert found.severity is Severity.ERROR
    assert f"image.user.name is {name}" in found.message
    assert "leave user out" in found.hint
    assert "user:" in line


@pytest.mark.parametrize("uid", [65534, 65535])
def test_a_reserved_id_is_refused(uid):
    ((found, _),) = of_the_user(f"{{name: trainer, uid: {uid}}}")
    assert (found.severity, f"image.user.uid is {uid}" in found.message) == (Severity.ERROR, True)


@pytest.mark.parametrize("name", ["ubuntu", "trainer", "ray", "users", "video"])
@pytest.mark.parametrize("uid", [1, 1000, 65533, 65536, 123456, 2147483647])
@pytest.mark.parametrize("runtime", ["apptainer", "docker"])
def test_other_names_and_the_ids_of_large_sites_are_taken(name, uid, runtime):
    assert of_the_user(f"{{name: {name}, uid: {uid}}}", f"{{kind: slurm, runtime: {runtime}}}") == []


@pytest.mark.parametrize("field", ["uid", "gid"])
@pytest.mark.parametrize(("runtime", "own"), [("podman", ""), ("apptainer", ", builder: podman")], ids=["job", "build"])
def test_an_id_that_podman_may_not_map_is_warned_of(field, runtime, own):
    for number, warned in ((65533, False), (65536, True), (123456, True)):
        found = of_the_user(f"{{name: trainer, {field}: {number}}}", f"{{kind: slurm, runtime: {runtime}}}", own)
        assert [finding.severity for finding, _ in found] == [Severity.WARNING] * warned
        assert all(f"image.user.{field} is {number}" in finding.message for finding, _ in found)
        assert all("/etc/subuid" in finding.hint for finding, _ in found)


def test_an_id_that_no_kernel_has_is_refused():
    assert [found.code for found, _ in said("{kind: manual}", "  user: {name: a, uid: 2147483648}")] == ["MN104"]
