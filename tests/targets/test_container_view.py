"""Files of a node that a container does not see are remarked on, with the mount that shows them."""

import pytest

from mngen import targets
from mngen.manifest.load import LoadOptions, load

HEAD = "apiVersion: mngen/v1\nname: run\ndriver: {command: [train]}\nresources: {shm: 1G}\nimage: {ref: a/b:1}\n"
JOB = "{kind: slurm, runtime: docker}"


def remarked(fields: str, target: str) -> list[tuple[str, str]]:
    """Fields that are remarked on for one target, with their hints."""
    text = f"{HEAD}{fields}\ntargets: {{job: {target}}}\n"
    loaded = load(text, "manifest.yaml", LoadOptions(kind=targets.definition))
    assert loaded.manifest is not None, loaded.diagnostics
    notes = [note for note in targets.notes(loaded.manifest) if "inside the container" in note.message]
    assert {note.code for note in notes} <= {"MN251"}
    return [(note.message.partition(" ")[0], note.hint or "") for note in notes]


@pytest.mark.parametrize("runtime", ["apptainer", "docker", "podman", "pyxis"])
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("env_files: [/etc/site/a.env]", ["env_files[0]"]),
        ("env_files: ['${{ env.HOME }}/a.env']", ["env_files[0]"]),
        ("endpoint: {file: /shared/e.json}", ["endpoint.file"]),
        ("prepare: [{run: x, creates: /data/x}]", ["prepare[0].creates"]),
        ("prepare: [{run: x, creates: /data/x}]\nmounts: [{source: /x, target: /data}]", []),
        ("cleanup: rm -rf /local/x", ["cleanup"]),
        ("cleanup: 'rm -rf /local/${{ job_id }} ./x; rm -f \"/local/$USER/y\" x/y'", ["cleanup"] * 2),
        ("cleanup: 'rm -rf \"/dev/shm/e-${{ job_id }}\" /dev/shm/x'", []),
        ("cleanup: 'rm -rf /local/x /local/y/*'\nmounts: [{source: /local, target: /local}]", []),
        ("cleanup: 'rm -rf \"$TMPDIR\"/x x; ls /local/x; /opt/rm /local/x'", []),
        ("env_files: [/data/a.env]\nendpoint: {file: /data/x/e.json}\nmounts: [{source: /x, target: /data}]", []),
        ("env_files: ['${{ env.HOME }}/s/a.env']\nmounts: [{source: '${{ env.HOME }}/s', target: /s}]", []),
        ("env_files: ['${{ env.SITE }}/a.env']", []),
        ("code: {path: ., to: /code}\nenv_files: [/code/a.env]", []),
    ],
)
def test_a_file_that_no_mount_brings_is_remarked_on(runtime: str, fields: str, expected: list[str]) -> None:
    found = remarked(fields, f"{{kind: slurm, runtime: {runtime}}}")
    assert [field for field, _ in found] == expected
    assert all("mounts: [{source: " in hint for _, hint in found)


@pytest.mark.parametrize("runtime", ["apptainer", "docker", "podman", "pyxis"])
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            "env: {HF_HOME: '${{ env.HOME }}/hf', P: 'a:${{ env.HOME }}/b:c', H: '${{ env.HOME }}'}",
            ["env.HF_HOME", "env.P"],
        ),
        (
            "driver: {command: [p, --data, '${{ env.HOME }}/d', '--out=${{ env.HOME }}/o']}",
            ["driver.command[2]", "driver.command[3]"],
        ),
        ("driver: {command: [p], args: ['a=${{ env.HOME }}/d']}", ["driver.args[0]"]),
        ("driver: {command: [bash, -c, 'test -d ${{ env.HOME }}/d']}", []),
        ("services: {s: {command: [p, '${{ env.HOME }}/d']}}", ["services.s.command[1]"]),
        ("env: {D: '${{ env.HOME }}/d'}\nmounts: [{source: '${{ env.HOME }}', target: /home/me}]", []),
        ("env: {D: '${{ env.SCRATCH }}/d'}", []),
    ],
)
def test_a_path_in_the_nodes_home_is_remarked_on(runtime: str, fields: str, expected: list[str]) -> None:
    text = HEAD if "driver" not in fields else HEAD.replace("driver: {command: [train]}\n", "")
    job = f"{{kind: slurm, runtime: {runtime}}}"
    found = load(f"{text}{fields}\ntargets: {{job: {job}}}\n", "m.yaml", LoadOptions(kind=targets.definition))
    assert found.manifest is not None, found.diagnostics
    notes = [note for note in targets.notes(found.manifest) if "home is not mounted" in note.message]
    assert [note.message.partition(" on target")[0] for note in notes] == expected
    assert {"mount_home" in (note.hint or "") for note in notes} <= {runtime in {"apptainer", "pyxis"}}


@pytest.mark.parametrize("writable", [False, True])
@pytest.mark.parametrize(("runtime", "read_only"), [("apptainer", True), ("pyxis", True), ("docker", False)])
def test_a_file_that_cannot_be_written_is_warned_of(runtime: str, read_only: bool, writable: bool) -> None:
    container = "" if runtime == "docker" else f", container: {{writable: {str(writable).lower()}}}"
    text = (
        f"{HEAD}endpoint: {{file: /shared/e.json}}\ntargets: {{job: {{kind: slurm, runtime: {runtime}{container}}}}}\n"
    )
    loaded = load(text, "m.yaml", LoadOptions(kind=targets.definition))
    assert loaded.manifest is not None, loaded.diagnostics
    (found,) = (note for note in targets.notes(loaded.manifest) if "endpoint.file" in note.message)
    assert (found.severity.value == "warning") is (read_only and not writable)


SYSTEM = [
    *("/etc", "/etc/profile.d", "/usr", "/usr/local/etc", "/lib", "/lib64", "/lib/site", "/bin", "/sbin", "//etc"),
    *("/opt", "/opt/site", "/var", "/var/lib", "/root", "/home", "/mnt", "/srv", "/run/site", "/boot", "/data/../etc"),
]
PLACES = {
    "/data/site/a.env": ("/data/site", "/data/site", ""),
    "/home/me/a.env": ("/home/me", "/home/me", ""),
    "${{ env.HOME }}/a.env": ("${{ env.HOME }}", "/site", "/site/a.env"),
    "/a.env": ("/site", "/site", "/site/a.env"),
    "/tmp/a.env": ("/tmp", "/site", "/site/a.env"),
    **{f"{folder}/a.env": (folder, "/site", "/site/a.env") for folder in SYSTEM},
}
"""Files, with the mount that a hint names (source and target) and the changed path."""


@pytest.mark.parametrize(
    "field", ["env_files: ['{}']", "endpoint: {{file: '{}'}}", "prepare: [{{run: x, creates: '{}'}}]"]
)
@pytest.mark.parametrize("written", PLACES)
def test_the_mount_that_is_named_hides_nothing_of_the_image(written: str, field: str) -> None:
    source, place, inside = PLACES[written]
    ((_, hint),) = remarked(field.format(written), JOB)
    before, _, mount = hint.partition(": mounts: ")
    assert mount.removesuffix("}]").removesuffix(", mode: ro") == f'[{{source: "{source}", target: {place}'
    assert before.endswith(f", {inside}" if inside and source != "/site" else inside or "write the path inside")
    changed = f"{field.format(inside or written)}\nmounts: {mount}"
    assert remarked(changed, JOB) == []
    found = load(f"{HEAD}{changed}\ntargets: {{job: {JOB}}}\n", "m.yaml", LoadOptions(kind=targets.definition))
    assert found.diagnostics == ()


def test_a_folder_that_is_only_read_is_mounted_for_reading() -> None:
    assert ["mode: ro" in hint for _, hint in remarked("env_files: [/etc/a.env]", JOB)] == [True]
    assert ["mode: ro" in hint for _, hint in remarked("endpoint: {file: /var/x/a.json}", JOB)] == [False]


@pytest.mark.parametrize(
    ("fields", "target"),
    [
        ("env_files: [/etc/a.env]", "{kind: slurm, runtime: none}"),
        ("env_files: [/etc/a.env]", "{kind: slurm, runtime: prefix, container: {prefix: [enter]}}"),
        ("env_files: [/etc/a.env]", "{kind: slurm, runtime: docker, container: {options: [--volume, '/etc:/etc']}}"),
        ("env_files: ['${{ env.HOME }}/a.env']", "{kind: slurm, runtime: apptainer, container: {mount_home: true}}"),
        ("env_files: [/tmp/a.env]", "{kind: slurm, runtime: apptainer}"),
        ("env_files: [/tmp/a.env]", "{kind: slurm, runtime: pyxis}"),
        ("cleanup: 'rm -rf /local/x'\nprepare: [{run: x, creates: /local/x}]", "{kind: slurm, runtime: none}"),
        ("env: {D: '${{ env.HOME }}/d'}", "{kind: slurm, runtime: pyxis, container: {mount_home: true}}"),
        ("env: {D: '${{ env.HOME }}/d'}", "{kind: manual, runtime: none}"),
    ],
)
def test_where_it_may_be_seen_nothing_is_said(fields: str, target: str) -> None:
    assert remarked(fields, target) == []


@pytest.mark.parametrize("kind", ["skypilot", "dstack"])
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("secrets: {T: {file: '${{ env.HOME }}/.secrets/t'}, U: {}}", ["secrets.T.file"]),
        ("secrets: {T: {file: /etc/t}}\nenv_files: [/etc/a.env]", ["env_files[0]", "secrets.T.file"]),
        ("endpoint: {file: /shared/e.json}", ["endpoint.file"]),
        ("secrets: {T: {file: /data/t}}\nmounts: [{source: /x, target: /data}]", []),
        ("secrets: {T: {file: /code/t}}\nenv_files: [/code/a.env]\ncode: {path: ., to: /code}", []),
        ("secrets: {T: {file: '${{ env.SITE }}/t'}}", []),
    ],
)
def test_a_file_that_no_rented_machine_has_is_remarked_on(kind: str, fields: str, expected: list[str]) -> None:
    text = f"{HEAD}{fields}\ntargets: {{job: {{kind: {kind}}}}}\n"
    loaded = load(text, "manifest.yaml", LoadOptions(kind=targets.definition))
    assert loaded.manifest is not None, loaded.diagnostics
    notes = [note for note in targets.notes(loaded.manifest) if "inside the image" in note.message]
    assert {note.code for note in notes} <= {"MN251"}
    assert [note.message.partition(" ")[0] for note in notes] == expected


@pytest.mark.parametrize("kind", ["skypilot", "dstack"])
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("logs: {driver: a.log}", ["logs.driver"]),
        ("logs: {driver: a.log, ray_session: always, dir: /logs}", ["logs.driver"]),
        ("logs: {ray_session: on-failure}", ["logs.ray_session"]),
        ("logs: {driver: a.log, dir: /data/logs}\nmounts: [{source: /x, target: /data}]", []),
        ("", []),
    ],
)
def test_logs_that_go_with_a_rented_machine_are_remarked_on(kind: str, fields: str, expected: list[str]) -> None:
    text = f"{HEAD}{fields}\ntargets: {{job: {{kind: {kind}}}}}\n"
    loaded = load(text, "manifest.yaml", LoadOptions(kind=targets.definition))
    assert loaded.manifest is not None, loaded.diagnostics
    notes = [note for note in targets.notes(loaded.manifest) if "goes with them" in note.message]
    assert [note.message.partition(" ")[0] for note in notes] == expected


def test_what_is_not_known_of_a_path_stays_in_the_hint() -> None:
    ((_, hint),) = remarked("cleanup: rm -rf '/opt/e-${{ job_id }}/x'", JOB)
    assert "write the path inside, /site/e-${{ job_id }}/x: " in hint
