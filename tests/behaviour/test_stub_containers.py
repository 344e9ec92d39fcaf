"""The stand-ins for apptainer, docker, podman and command prefixes."""

import signal
from collections.abc import Callable

import pytest

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]

INSIDE = 'echo "$(hostname) $X"; pwd; ls /; command -v srun docker; command -v ray python3; cat; exit 4'


@pytest.mark.parametrize(
    "command",
    [
        ["apptainer", "exec", "--env", "X=a b", "--bind", "WORK:/data:ro", "IMAGE", "bash", "-c", INSIDE],
        [
            "docker",
            "run",
            "--rm",
            "-i",
            "--network",
            "host",
            "--env",
            "X=a b",
            "-v",
            "WORK:/data:ro",
            "example/image:1",
            "bash",
            "-c",
            INSIDE,
        ],
        [
            "podman",
            "run",
            "--rm",
            "-i",
            "--network=host",
            "--init",
            "--env",
            "X=a b",
            "-v",
            "WORK:/data:ro",
            "example/image:1",
            "bash",
            "-c",
            INSIDE,
        ],
        ["enter-image", "--image=example/image:1", "--env=X=a b", "-V", "WORK:/data", "bash", "-c", INSIDE],
    ],
)
def test_a_container_sees_its_image_and_mounts_only(cluster: Make, command: list[str]) -> None:
    sim = cluster(nodes=1)
    image = sim.work / "image.sif"
    image.touch()
    filled = [word.replace("WORK", str(sim.work)).replace("IMAGE", str(image)) for word in command]
    done = sim.run(filled, node="node1", stdin="from stdin\n")
    assert done.status == 4, done
    lines = done.stdout.splitlines()
    assert lines[0] == "node1 a b"
    assert "data" in lines
    assert not any(line.endswith(("/srun", "/docker")) for line in lines)
    assert f"{sim.root}/venv/bin/ray" in lines
    assert lines[-1] == "from stdin"
    assert sim.containers() == []
    assert sim.processes() == []


def test_a_docker_container_outlives_its_killed_client_until_its_stdin_ends(cluster: Make) -> None:
    sim = cluster(nodes=1)
    flags = ["docker", "run", "--rm", "--network=host", "--name", "c1"]
    deaf = sim.spawn([*flags, "example/image:1", "sleep", "30"], node="node1")
    sim.wait_for(lambda: any(row["argv"] == ["sleep", "30"] for row in sim.processes()))
    deaf.signal(signal.SIGKILL)
    assert deaf.wait().status == 137
    assert [row["name"] for row in sim.containers()] == ["c1"]
    assert sim.run(["docker", "run", "--rm", "--name", "c1", "example/image:1", "true"], node="node1").status == 125
    assert sim.run(["docker", "kill", "c1"], node="node1").status == 0
    sim.wait_for(lambda: not sim.containers())
    flags[-1] = "c2"
    listening = sim.spawn(
        [*flags, "--interactive", "example/image:1", "bash", "-c", "cat; sleep 0.1"], node="node1", stdin=sim.hold()
    )
    sim.wait_for(lambda: any(row["argv"] == ["cat"] for row in sim.processes()))
    listening.signal(signal.SIGKILL)
    sim.wait_for(lambda: not sim.containers() and not sim.processes())


def test_the_first_process_of_a_container_needs_init_or_a_handler_to_be_stopped(cluster: Make) -> None:
    sim = cluster(nodes=1)
    program = ["example/image:1", "sleep", "30"]
    for flags in ([], ["--init"]):
        client = sim.spawn(["docker", "run", "--rm", "--name", "c", *flags, *program], node="node1")
        sim.wait_for(lambda: any(row["argv"] == ["sleep", "30"] for row in sim.processes()))
        client.signal(signal.SIGTERM)
        if flags:
            assert client.wait().status == 143
        else:
            with pytest.raises(TimeoutError):
                client.wait(0.3)
            sim.run(["docker", "rm", "--force", "c"], node="node1")
            assert client.wait().status == 137


def test_apptainer_ends_with_its_client_and_passes_signals_on(cluster: Make) -> None:
    sim = cluster(nodes=1)
    program = [
        "apptainer",
        "exec",
        "docker://example/image:1",
        "bash",
        "-c",
        "trap 'echo got; exit 9' USR1; sleep 30 & wait",
    ]
    client = sim.spawn(program, node="node1")
    sim.wait_for(lambda: any(row["argv"] == ["sleep", "30"] for row in sim.processes()))
    client.signal(signal.SIGUSR1)
    done = client.wait()
    assert (done.status, done.stdout) == (9, "got\n")
    client = sim.spawn(["apptainer", "exec", "docker://example/image:1", "sleep", "31"], node="node1")
    sim.wait_for(lambda: any(row["argv"] == ["sleep", "31"] for row in sim.processes()))
    client.signal(signal.SIGKILL)
    client.wait()
    sim.wait_for(lambda: not any(row["argv"] == ["sleep", "31"] for row in sim.processes()))


def test_apptainer_with_processes_of_its_own_ends_all_of_them_with_its_client(cluster: Make) -> None:
    """Also those that left its group, which nobody else finds when the client is killed."""
    sim = cluster(nodes=1)
    lines = "setsid sleep 30 & sleep 30"
    client = sim.spawn(["apptainer", "exec", "--pid", "example/image:1", "bash", "-c", lines], node="node1")
    sim.wait_for(lambda: [row["argv"] for row in sim.processes()].count(["sleep", "30"]) == 2)
    client.signal(signal.SIGKILL)
    sim.wait_for(lambda: not sim.processes())
    for flags, status in ((["--pid"], 137), (["--pid", "--no-init"], 0)):  # nobody can kill a PID 1 from inside
        words = ["apptainer", "exec", *flags, "example/image:1", "bash", "-c", "kill -KILL $$; exit 0"]
        assert sim.run(words, node="node1").status == status


def test_environment_rules_of_each_runtime(cluster: Make) -> None:
    sim = cluster(nodes=1, image={"env": {"FROM_IMAGE": "image", "BOTH": "image"}})
    env = {"BOTH": "host", "HOST": "host", "APPTAINERENV_INJECTED": "a,b c"}
    show = ["bash", "-c", 'printf "%s|" "$FROM_IMAGE" "$BOTH" "${HOST-}" "${INJECTED-}" "${X-}" "${Y-}"']

    def run(*words: str) -> tuple[int, str]:
        done = sim.run([*words, *show], node="node1", env=env)
        return done.status, done.stdout

    assert run("apptainer", "exec", "docker://i:1") == (0, "image|image|host|a,b c|||")
    assert run("apptainer", "exec", "--cleanenv", "--env", "X=1,Y=2", "docker://i:1") == (0, "image|image||a,b c|1|2|")
    assert run("apptainer", "exec", "--env", "X=1,2", "docker://i:1")[0] == 1
    assert run("docker", "run", "--rm", "-e", "BOTH", "-e", "X=1,2", "i:1") == (0, "image|host|||1,2||")
    assert run("enter-image", "--image=i:1") == (0, "image|image|host||||")


@pytest.mark.parametrize(
    "words",
    [
        ["apptainer", "exec", "--bogus", "docker://i:1", "true"],
        ["apptainer", "exec", "--bind", "/nowhere:/x", "docker://i:1", "true"],
        ["apptainer", "exec", "/nowhere.sif", "true"],
        ["apptainer", "exec", "--cwd", "/nowhere", "docker://i:1", "true"],
        ["docker", "run", "--bogus", "i:1", "true"],
        ["docker", "run", "-v", "relative:/x", "i:1", "true"],
        ["docker", "run", "--device", "/dev/kfd", "i:1", "true"],
        ["docker", "run", "--gpus", "device=0,1", "i:1", "true"],
        ["docker", "run", "--ulimit", "nofile=many", "i:1", "true"],
        ["docker", "exec", "c", "true"],
        ["docker", "run", "-t", "i:1", "true"],
    ],
)
def test_what_the_real_ones_refuse_is_refused(cluster: Make, words: list[str]) -> None:
    sim = cluster(nodes=1, gpus=2)
    assert sim.run(words, node="node1").status != 0


def test_gpus_are_what_the_flags_give(cluster: Make) -> None:
    sim = cluster(nodes=1, gpus=4)
    count = ["bash", "-c", "ls /dev | grep -c 'nvidia[0-9]'; nvidia-smi -L | wc -l"]
    docker = ["docker", "run", "--rm"]
    assert sim.run([*docker, "i:1", *count], node="node1").stdout.split() == ["0", "0"]
    assert sim.run([*docker, "--gpus", "all", "i:1", *count], node="node1").stdout.split() == ["4", "4"]
    assert sim.run([*docker, "--gpus", '"device=1,3"', "i:1", *count], node="node1").stdout.split() == ["2", "2"]
    assert sim.run(
        ["podman", "run", "--rm", "--device", "nvidia.com/gpu=2", "i:1", *count], node="node1"
    ).stdout.split() == ["1", "1"]
    assert sim.run(["apptainer", "exec", "--nv", "docker://i:1", *count], node="node1").stdout.split() == ["4", "4"]


def test_pyxis_brings_the_tools_that_the_image_asks_for(cluster: Make) -> None:
    """As enroot's hook does (https://github.com/NVIDIA/enroot/blob/master/conf/hooks/98-nvidia.sh)."""
    asked = {"NVIDIA_VISIBLE_DEVICES": "all"}
    for vendor, env, seen in (
        ("cuda", asked, "2"),
        ("cuda", {**asked, "NVIDIA_DRIVER_CAPABILITIES": "compute"}, "0"),
        ("cuda", {"NVIDIA_VISIBLE_DEVICES": "void"}, "0"),
        ("cuda", {}, "0"),
        ("rocm", asked, "0"),
    ):
        sim = cluster(nodes=1, gpus=2, vendor=vendor, pyxis=True, image={"env": env})
        job = "#!/bin/bash\nsrun --container-image=i:1 bash -c 'nvidia-smi -L 2>/dev/null | wc -l'\n"
        done = sim.run(["sbatch", "--wait", "--gpus-per-node=2", "--output=said"], stdin=job)
        assert (done.status, (sim.work / "said").read_text().split()[-1:]) == (0, [seen]), (vendor, env, done)


def test_an_image_has_files_where_this_machine_has_none(cluster: Make) -> None:
    """And mounts lead there as well; what else the machine has in such a folder is still seen."""
    image = {"files": {"/etc/site/proxy.env": "A=1\n", "/usr/share/own/b": "B=2\n"}, "folders": ["/usr/lib", "/etc/wd"]}
    sim = cluster(nodes=1, image=image, pyxis=True)
    (sim.work / "file").write_text("C=3\n")
    binds = {f"{sim.work}": "/etc/new/folder", f"{sim.work}/file": "/usr/new.conf"}
    look = "cat /etc/site/proxy.env /usr/share/own/b /etc/new/folder/file /usr/new.conf; cd /etc/wd && ls /etc/passwd"
    mounts = [f"{source}:{target}" for source, target in binds.items()]
    found = {}
    for words in (
        ["docker", "run", "--rm", *(f"--volume={text}" for text in mounts), "i:1"],
        ["podman", "run", "--rm", *(f"--volume={text}" for text in mounts), "i:1"],
        ["apptainer", "exec", *(f"--bind={text}" for text in mounts), "docker://i:1"],
        ["enter-image", "--image=i:1", *(f"--volume={text}" for text in mounts)],
    ):
        found[words[0]] = sim.run([*words, "bash", "-c", look], node="node1").stdout.split()
    step = f"srun --container-mounts={','.join(mounts)} --container-image=i:1 bash -c '{look}'"
    found["pyxis"] = sim.sbatch(f"#!/bin/bash\n{step}\n").log.split()
    assert found == {name: ["A=1", "B=2", "C=3", "C=3", "/etc/passwd"] for name in found}


def test_apptainer_runs_what_the_image_says_and_a_shell(cluster: Make) -> None:
    sim = cluster(nodes=1, image={"entrypoint": ["env", "E=entry"], "command": ["bash", "-c", "echo own $E"]})
    show = "echo $APPTAINER_COMMAND ${E-}"
    for words, said in (
        (["run", "docker://i:1"], "own entry"),
        (["run", "--cleanenv", "docker://i:1", "bash", "-c", show], "run entry"),
        (["exec", "docker://i:1", "bash", "-c", show], "exec"),
        (["shell", "docker://i:1", "-c", show], "shell"),
    ):
        done = sim.run(["apptainer", *words], node="node1")
        assert (done.status, done.stdout.strip()) == (0, said), (words, done)
    for words in (["run"], ["shell"], ["exec", "docker://i:1"], ["instances"]):
        assert sim.run(["apptainer", *words], node="node1").status == 1
