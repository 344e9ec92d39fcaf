"""How a driver or a head ended is kept whatever happens then: on a full disk, and when its parts do not end."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from generated import functions, module

FULL = "trap '' XFSZ; ulimit -f 0\n"
"""From here on no file takes a byte, as on a full disk; names are still taken."""


def run(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", f"set -Eeuo pipefail\n{text}"],
        env={"PATH": f"{tmp_path}:/usr/sbin:/usr/bin:/sbin:/bin", "JOB_DIR": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


@pytest.mark.parametrize("status", [0, 5])
def test_b66_a_drivers_status_is_kept_on_a_full_disk(tmp_path: Path, status: int) -> None:
    text = f'say() {{ :; }}\nDRIVER=(bash -c "exit {status}")\n{FULL}run_driver\n'
    done = run(tmp_path, module("parts", "run_driver") + text)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "driver.status").readlink() == Path(str(status))


@pytest.mark.parametrize("status", [0, 5])
def test_b66_a_ray_jobs_status_is_kept_on_a_full_disk(tmp_path: Path, status: int) -> None:
    client = "#!/usr/bin/env bash\n[[ $2 == submit ]] || exit 1\nulimit -f 0; trap '' XFSZ\n"
    client += 'bash "${@: -1}"\nexit 1\n'
    (tmp_path / "ray").write_text(client)
    (tmp_path / "ray").chmod(0o755)
    text = "say() { :; }\ndashboard_is_missing() { return 1; }\n"
    text += (
        "READY_TIMEOUT=9 RAY=(ray) JOB_NAME=a JOB_ID=1 ATTEMPT=0 LOOPBACK=127.0.0.1 DASHBOARD_PORT=1 JOB_OPTIONS=()\n"
    )
    text += f'DRIVER=(bash -c "exit {status}")\nrun_driver\n'
    done = run(tmp_path, module("parts", "host_port", "run_ray_job") + text)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "driver.status").readlink() == Path(str(status))


def test_b66_the_batch_shell_finds_it(tmp_path: Path) -> None:
    """The whole way on a full disk: what the driver's shell keeps is what the job ends with."""
    (tmp_path / "driver.status").symlink_to("5")
    text = "STEP_PID='' CANCELLED='' PORT_LOCK='' JOB_ID=1 ATTEMPT=0\nREASONS=([75]=none [76]=died)\n"
    text += f"{functions('apptainer', 'verdict', 'finish')}mkdir job\nmv driver.status job\nJOB_DIR=${{PWD}}/job\n{FULL}finish 0"
    done = run(tmp_path, text)
    assert done.returncode == 5, done.stderr
    assert '"status": 5, "reason": "driver"' in done.stdout
    assert not (tmp_path / "job").exists()


@pytest.mark.parametrize("name", ["leave", "leave_host"])
def test_a_heads_reason_is_kept_on_a_full_disk(tmp_path: Path, name: str) -> None:
    text = f"say() {{ :; }}\nrunning() {{ [[ -n $1 ]]; }}\n{functions('apptainer', name)}"
    text += "PART_PID=() DRIVER_PID='' CONTAINER_PID='' NODE_RANK=0 SOURCED='' BATCH_PID=1 PORT_LOCK=''\n"
    done = run(tmp_path, f"{text}{FULL}{name} 75")
    assert done.returncode == 75, done.stderr
    assert (tmp_path / "head.status").readlink() == Path("75")


def test_a_heads_reason_is_kept_while_its_parts_do_not_end(tmp_path: Path) -> None:
    """A process in an uninterruptible sleep, on a lost GPU or file server, outlives even SIGKILL, and then Slurm ends
    the node."""
    text = f"say() {{ :; }}\n{functions('apptainer', 'leave')}kill() {{ [[ $* != '-0 1' ]] || exit 9; }}\n"
    text += "declare -A PART_PID=([ray]=1)\nDRIVER_PID='' NODE_RANK=0 SOURCED=''\n"
    done = run(tmp_path, f"{text}leave 75")
    assert done.returncode == 9, done.stderr
    assert (tmp_path / "head.status").readlink() == Path("75")


def test_the_first_reason_stays(tmp_path: Path) -> None:
    """What is said inside a container comes before what its client ends with, and the second is no error."""
    (tmp_path / "head.status").symlink_to("77")
    text = f"say() {{ :; }}\nrunning() {{ [[ -n $1 ]]; }}\n{functions('apptainer', 'leave_host')}"
    text += "CONTAINER_PID='' NODE_RANK=0 SOURCED='' BATCH_PID=1 PORT_LOCK=''\nleave_host 76"
    done = run(tmp_path, text)
    assert (done.returncode, done.stderr) == (76, "")
    assert (tmp_path / "head.status").readlink() == Path("77")


@pytest.mark.parametrize(("number", "status"), [("USR2", "0"), ("TERM", "0"), ("KILL", "78")])
def test_a_command_that_is_told_to_end_before_its_shell_is_no_failure(tmp_path: Path, number: str, status: str) -> None:
    """The signal reaches all processes of a group, one after another; a command that dies by itself is a failure."""
    later = "" if number == "KILL" else f"(sleep 0.4; kill -{number} $$) &\n"
    (tmp_path / "setup.sh").write_text(f"{later}bash -c 'kill -{number} $$'\n")
    text = "SOURCED=''\nsay() { :; }\nfail() { echo \"${*:2}\" && exit \"$1\"; }\ntrap 'exit 0' TERM USR2\n"
    done = run(tmp_path, f'{text}{module("user_text")}source_text "${{JOB_DIR}}/setup.sh"')
    assert done.returncode == int(status), done.stdout + done.stderr


def test_a_command_that_dies_by_itself_of_such_a_signal_is_named(tmp_path: Path) -> None:
    (tmp_path / "setup.sh").write_text("bash -c 'kill -TERM $$'\n")
    text = "SOURCED=''\nfail() { echo \"${*:2}\" && exit \"$1\"; }\ntrap 'exit 0' TERM USR2\n"
    done = run(tmp_path, f'{text}{module("user_text")}source_text "${{JOB_DIR}}/setup.sh"')
    assert (done.returncode, done.stdout) == (78, "setup.sh failed at line 1 with status 143\n"), done.stderr


@pytest.mark.parametrize(
    "line",
    [
        "export x=$(grep nothing /dev/null; echo hi)",
        "x=$(false; echo hi)",
        'x="$(command -v nope || :)hi"',
        'echo "$(command -v nope)"; x=hi',
        "if ! x=$(false; echo hi); then :; fi",
    ],
)
def test_what_fails_in_a_substitution_is_for_its_line_to_judge(tmp_path: Path, line: str) -> None:
    """As with "set -e" alone: modules, conda and site scripts are full of such lines."""
    (tmp_path / "setup.sh").write_text(f"{line}\n")
    text = 'SOURCED=\'\'\nfail() { echo "${*:2}" && exit "$1"; }\n'
    done = run(
        tmp_path, f'{text}{module("user_text")}source_text "${{JOB_DIR}}/setup.sh"\nx=${{x:-}}\necho "x is ${{x}}"'
    )
    assert (done.returncode, done.stdout.split("\n")[-2]) == (0, "x is hi"), done.stdout + done.stderr


@pytest.mark.parametrize("line", ["x=$(false)", "(false)", "f() { false; }\nf", "x=$(exit 3)"])
def test_a_line_that_fails_by_a_subshell_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "setup.sh").write_text(f"true\n{line}\necho went on\n")
    text = 'SOURCED=\'\'\nfail() { echo "${*:2}" && exit "$1"; }\n'
    done = run(tmp_path, f'{text}{module("user_text")}source_text "${{JOB_DIR}}/setup.sh"')
    assert done.returncode == 78, done.stdout + done.stderr
    assert done.stdout.count("setup.sh failed at line") == 1


def test_a_text_that_goes_on_after_errors_does_not_make_the_job_do_so(tmp_path: Path) -> None:
    (tmp_path / "setup.sh").write_text("set +eu\n")
    text = 'SOURCED=\'\'\nfail() { echo "${*:2}" && exit "$1"; }\n'
    done = run(tmp_path, f'{text}{module("user_text")}source_text "${{JOB_DIR}}/setup.sh"\nfalse\necho went on')
    assert (done.returncode, done.stdout) == (1, "")


@pytest.mark.parametrize("runtime", ["apptainer", "docker", "podman", "prefix"])
@pytest.mark.parametrize(("step", "status"), [(255, 78), (125, 78), (126, 78), (127, 78), (77, 77), (1, 75), (137, 76)])
def test_a_container_that_cannot_be_made_is_a_setting_at_fault(
    tmp_path: Path, runtime: str, step: int, status: int
) -> None:
    """What its client ends with when the image, the engine or the client itself is missing; no node's work ends so."""
    text = f"bash -c 'exit {step}' &\nSTEP_PID=$! CANCELLED='' PORT_LOCK='' JOB_ID=1 ATTEMPT=0 JOB_DIR=/nowhere\n"
    text += 'while kill -0 "${STEP_PID}" 2>/dev/null; do sleep 0.1; done\n'
    text += f"REASONS=([75]=none [76]=died [77]=check [78]=setting)\n{functions(runtime, 'verdict', 'finish')}finish 0"
    done = run(tmp_path, text)
    assert done.returncode == status, done.stderr


@pytest.mark.parametrize("runtime", ["none", "docker"])
@pytest.mark.parametrize(
    ("node", "status"),
    [("kill -TERM $$", 0), ("kill -USR2 $$", 0), ("exit 0", 0), ("kill -KILL $$", 137), ("exit 77", 77)],
)
def test_a_node_that_hears_the_steps_end_before_its_first_process_is_no_failure(
    tmp_path: Path, runtime: str, node: str, status: int
) -> None:
    """Slurm may tell all processes of a step, and then the node's own may be gone before that which started it hears."""
    done = subprocess.run(
        ["bash", "-c", f"{functions(runtime, 'receive')}receive"],
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "JOB_DIR": str(tmp_path / "job"), "SLURM_NODEID": "1"},
        input=f"{node}\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
        start_new_session=True,  # it signals its process group
    )
    assert done.returncode == status, done.stderr
    assert (tmp_path / "job").exists() == (status != 0)
