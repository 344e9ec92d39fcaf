"""The stand-in for Ray's jobs: their runtime environments, and what a job submitted wrongly is told."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from mngen.rehearse.cluster import Cluster, Options

HEAD = ["ray", "start", "--head", "--node-ip-address=10.77.0.1", "--port=7000", "--temp-dir=/tmp/r", "--block"]
SUBMIT = ["ray", "job", "submit", "--address=http://127.0.0.1:8265"]
NODE = {"SITE": "/opt", "lower": "low"}
"""What Ray's own processes have, and so its jobs."""


@pytest.fixture(scope="module")
def sim() -> Iterator[Cluster]:
    """A head at work."""
    cluster = Cluster(Options(nodes=1))
    cluster.spawn(HEAD, node="node1", env=NODE)
    cluster.wait_record("ray_worker")
    yield cluster
    cluster.close()


VALUES = {
    "plain": ("a b", "a b"),
    "of the node": ("${SITE}/lib:$SITE/bin", "/opt/lib:/opt/bin"),
    "of capitals that nobody set": ("${NOBODY}:/x:${NO_BODY2}", ":/x:"),
    "of small letters that nobody set": ("${nobody}/x", "${nobody}/x"),
    "without braces that nobody set": ("$NOBODY/x", "$NOBODY/x"),
    "of small letters": ("${lower}", "low"),
    "with a default": ("${SITE:-/usr}", "${SITE:-/usr}"),
    "of one before it": ("${FIRST}-$FIRST", "1-1"),
    "a dollar": ("$$ $ ${}", "$$ $ ${}"),
    "a command": ("$(hostname) `hostname`", "$(hostname) `hostname`"),
}


@pytest.mark.parametrize("way", ["json", "file"])
@pytest.mark.parametrize("kind", VALUES)
def test_variables_of_a_job_are_filled_in_as_ray_does(sim: Cluster, kind: str, way: str) -> None:
    """`update_envs` in Ray's python/ray/_private/utils.py."""
    given, wanted = VALUES[kind]
    text = json.dumps({"env_vars": {"FIRST": "1", "GIVEN": given}})
    (sim.work / "env.yaml").write_text(text)
    option = f"--runtime-env-json={text}" if way == "json" else "--runtime-env=env.yaml"
    done = sim.run([*SUBMIT, option, "--", "bash", "-c", 'echo "<${GIVEN}>"'], node="node1")
    assert (done.status, f"<{wanted}>\n" in done.stdout) == (0, True), done


@pytest.mark.parametrize("text", ["", "{}", "env_vars: null", "env_vars: {}", "pip: [numpy]"])
def test_a_job_without_variables_has_those_of_the_node(sim: Cluster, text: str) -> None:
    (sim.work / "env.yaml").write_text(text)
    done = sim.run([*SUBMIT, "--runtime-env=env.yaml", "--", "bash", "-c", 'echo "<${SITE}>"'], node="node1")
    assert (done.status, "</opt>\n" in done.stdout) == (0, True), done


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("env_vars: {A: 1}", "TypeError: runtime_env['env_vars'] must be of type Dict[str, str], but the value 1"),
        ("env_vars: {1: a}", "TypeError: runtime_env['env_vars'] must be of type Dict[str, str], but the key 1"),
        ("env_vars: [A]", "TypeError: runtime_env['env_vars'] must be of type Dict[str, str], got "),
        ("[1]", "TypeError: a runtime_env must be a mapping, not list"),
        ("{", "yaml.ParserError: "),
        (None, "FileNotFoundError: [Errno 2] No such file or directory: 'env.yaml'"),
    ],
)
def test_what_is_no_runtime_environment_is_told_in_a_sentence(sim: Cluster, text: str | None, why: str) -> None:
    (sim.work / "env.yaml").unlink(missing_ok=True)
    if text is not None:
        (sim.work / "env.yaml").write_text(text)
    done = sim.run([*SUBMIT, "--runtime-env=env.yaml", "--", "true"], node="node1")
    assert (done.status, done.stderr.startswith(why)) == (1, True), done
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "found"),
    [("sent", "here"), ("{work}/sent", "here"), ("a.zip", ""), ("s3://bucket/a.zip", ""), ("missing", None)],
)
def test_a_job_begins_in_the_folder_that_is_sent(sim: Cluster, name: str, found: str | None) -> None:
    """A folder of the submitting shell's; what an archive or an address holds is not here."""
    (sim.work / "sent").mkdir(exist_ok=True)
    (sim.work / "sent/here").touch()
    (sim.work / "a.zip").touch()
    text = json.dumps({"working_dir": name.format(work=sim.work)})
    look = [*SUBMIT, f"--runtime-env-json={text}", "--", "bash", "-c", "echo in: $(ls)."]
    done = sim.run(look, node="node1")
    if found is None:
        assert (done.status, "directory missing must be an existing directory" in done.stderr) == (1, True), done
    else:
        assert (done.status, f"in: {found}." in done.stdout) == (0, True), done


def test_of_two_runtime_environments_none_is_taken(sim: Cluster) -> None:
    done = sim.run([*SUBMIT, "--runtime-env=env.yaml", "--runtime-env-json={}", "--", "true"], node="node1")
    assert done.status == 1
    assert "Only one of --runtime_env and --runtime-env-json can be provided" in done.stderr
