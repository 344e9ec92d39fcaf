"""Shell modules by themselves, with programs of a line in the place of the node's."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from generated import module

REPORT = 'fail() { echo "$*" && exit "$1"; }\nNODE_NAME=here\n'


def run(tmp_path: Path, name: str, call: str, *, slurm: bool = True, **programs: str) -> tuple[int, str]:
    return run_text(tmp_path, module(name, slurm=slurm) + call, **programs)


def run_text(tmp_path: Path, module_text: str, **programs: str) -> tuple[int, str]:
    for name, text in programs.items():
        path = tmp_path / name.replace("_", "-")
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)
    script = f"set -Eeuo pipefail\n{REPORT}{module_text}"
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    done = subprocess.run(["bash", "-c", script], env=env, capture_output=True, text=True, check=False, timeout=20)
    return done.returncode, done.stdout.strip()


@pytest.mark.parametrize(
    ("mask", "seen", "status", "left"),
    [
        ("unset CUDA_VISIBLE_DEVICES", 4, 0, "unset"),
        ("export CUDA_VISIBLE_DEVICES=NoDevFiles", 4, 0, "unset"),  # Slurm was not asked for GPUs; Ray stops at it
        ("export CUDA_VISIBLE_DEVICES=", 4, 77, "0 of 2"),  # somebody wants none
        ("export CUDA_VISIBLE_DEVICES=2,3", 4, 0, "2,3"),
        ("export CUDA_VISIBLE_DEVICES=2", 4, 77, "1 of 2"),
        ("export CUDA_VISIBLE_DEVICES=0,1,2,3", 1, 77, "1 of 2"),
        ("export CUDA_VISIBLE_DEVICES=0,1", None, 0, "0,1"),  # an image without the tool
        ("export CUDA_VISIBLE_DEVICES=0,1", 0, 77, "0 of 2"),
        ("export CUDA_VISIBLE_DEVICES=0", 0, 77, "0 of 2"),
        ("unset CUDA_VISIBLE_DEVICES", 0, 77, "0 of 2"),
        ("unset CUDA_VISIBLE_DEVICES", 1, 77, "1 of 2"),
        ("unset CUDA_VISIBLE_DEVICES", None, 77, "0 of 2"),
    ],
)
@pytest.mark.parametrize("slurm", [True, False], ids=["slurm", "others"])
@pytest.mark.parametrize(
    "said",
    [
        "No devices found.",
        "Unable to determine the device handle for GPU0000:41:00.0: GPU is lost.  Reboot the system to recover this GPU",
        "Failed to initialize NVML: Unknown Error",
    ],
)
def test_gpus_are_counted_by_mask_and_tool(
    tmp_path: Path, mask: str, seen: int | None, status: int, left: str, said: str, slurm: bool
) -> None:
    """The tool says on its standard output what is wrong, too, and may end with 0 all the same."""
    if "NoDevFiles" in mask and not slurm:
        status, left = 77, "1 of 2"  # a mask as any other
    listed = f"for ((i = 0; i < {seen}; i++)); do echo \"GPU $i: NVIDIA H100 (UUID: GPU-$i)\"; done; echo '{said}'"
    call = f'GPUS=2\n{mask}\ncheck_gpus\necho "${{CUDA_VISIBLE_DEVICES-unset}}"'
    found = run(tmp_path, "check_gpus_cuda", call, slurm=slurm, **({} if seen is None else {"nvidia_smi": listed}))
    assert found[0] == status
    assert left in found[1]


@pytest.mark.parametrize("slurm", [True, False], ids=["slurm", "others"])
@pytest.mark.parametrize("listed", [0, 2])
def test_a_tool_that_hangs_with_its_gpu_is_not_waited_for(tmp_path: Path, listed: int, slurm: bool) -> None:
    """In an ioctl of a lost GPU it hears not even SIGKILL; here it lives on, as deaf as may be."""
    hangs = f"for ((i = 0; i < {listed}; i++)); do echo \"GPU $i: (UUID: $i)\"; done\ntrap '' TERM; exec sleep 15"
    for name, call in (("check_gpus_cuda", "check_gpus"), ("check_gpu_arch_cuda", "check_gpu_arch")):
        text = module(name, slurm=slurm).replace("-t 60", "-t 1").replace("/etc/mngen/image.json", "/dev/null")
        begun = time.monotonic()
        found = run_text(tmp_path, f"{text}GPUS=2 GPU_FITS=9.0 GPU_ARCH=9.0\n{call}", nvidia_smi=hangs)
        assert found == (77, "77 nvidia-smi has not answered for a minute; leave out here")
        assert time.monotonic() - begun < 10


def test_a_folder_that_only_root_can_remove_is_named_with_what_removes_it(tmp_path: Path) -> None:
    """A container's root makes what the user who starts the engine cannot remove; rm says so of each file."""
    folder = tmp_path / "run"
    folder.mkdir()
    says = "for one in a b; do echo \"rm: cannot remove '$3/$one': Permission denied\" >&2; done; exit 1"
    call = f"trap 'echo \"ended, job folder ${{JOB_DIR}}\"' EXIT\nJOB_DIR=\ntake_folder {folder}"
    status, said = run(tmp_path, "own_folder", call, rm=says)
    assert status == 78
    reason = f"78 cannot clear {folder}: rm: cannot remove '{folder}/b': Permission denied"
    assert said.splitlines() == [f"{reason}; if it is root's: sudo rm -rf {folder}", "ended, job folder"]


@pytest.mark.parametrize(
    ("versions", "v4", "v6", "status", "said"),
    [
        ("4 6", "10.0.0.1", "fd77::1", 0, "10.0.0.1"),  # as the head chooses its own
        ("6", "10.0.0.1", "fd77::1", 0, "fd77::1"),
        ("4", "10.0.0.1", "fd77::1", 0, "10.0.0.1"),
        ("4 6", "", "fd77::1", 0, "fd77::1"),
        ("6", "10.0.0.1", "::ffff:10.0.0.1", 78, "78 nothing is known of head1 (IP version 6)"),
        ("4 6", "", "", 78, "78 nothing is known of head1 (IP version 4 6)"),
    ],
)
def test_a_heads_name_is_looked_up_in_its_own_order(
    tmp_path: Path, versions: str, v4: str, v6: str, status: int, said: str
) -> None:
    getent = f'case $1 in ahostsv4) a="{v4}" ;; *) a="{v6}" ;; esac\n[[ -n $a ]] || exit 2\necho "$a STREAM $2"'
    call = f'IP_VERSIONS=({versions})\nfind_head head1\necho "${{HEAD_IP}}"'
    assert run(tmp_path, "head_named", call, getent=getent) == (status, said)


@pytest.mark.parametrize(
    ("codes", "status", "head", "step", "attempt", "again"),
    [
        ("7", 7, None, "", 0, True),
        ("75|7|200", 7, None, "", 2, True),
        ("75|7|200", 7, None, "", 3, False),  # as often as it may be
        ("75|76|77", 7, None, "", 0, False),
        ("17|70|177", 7, None, "", 0, False),
        ("7", 17, None, "", 0, False),
        ("75|76|77", 1, 76, "", 0, True),  # the head lost a part moments after the driver's end
        ("75|76|77", 1, None, "77", 0, True),  # a worker did
        ("75", 1, 76, "", 0, False),
        ("137", 1, None, "137", 0, False),  # how a step is killed says nothing of the driver
        ("1", 9, 1, "", 0, False),
        ("75|76|77", 0, 76, "", 0, False),  # a good end is one
    ],
)
def test_a_job_is_tried_again_for_what_is_listed(
    tmp_path: Path, codes: str, status: int, head: int | None, step: str, attempt: int, again: bool
) -> None:
    if head is not None:
        (tmp_path / "head.status").symlink_to(str(head))
    known = f"JOB_DIR={tmp_path} RETRY_MAX=3 RETRY_CODES='{codes}' STEP_ENDED={step} ATTEMPT={attempt}"
    found = run(tmp_path, "retry", f"\n{known}\nif is_retried {status}; then echo again; fi")
    assert found == (0, "again" if again else "")


PROBE = """
case ${STATES[at]} in
  yes) ;;
  refused) echo "bash: connect: Connection refused" >&2; return 1 ;;
  unreachable) echo "bash: connect: No route to host" >&2; return 1 ;;
  silent) return 124 ;;
esac
"""


@pytest.mark.parametrize(
    ("states", "ended"),
    [
        (["yes", "refused", "refused", "refused", "yes"], 3),  # who refuses is there, and has no Ray any more
        (["refused", "refused", "yes", "refused", "refused", "yes"], None),
        (["refused", "refused", "silent", "refused", "refused", "yes"], None),  # in a row
        (["yes", *["silent"] * 11, "yes"], None),  # a network that has trouble; Ray bears a minute of it
        (["yes", *["unreachable"] * 11, "yes"], None),
        (["yes", *["silent"] * 6, *["unreachable"] * 5, "yes", *["silent"] * 11, "yes"], None),
        (["yes", *["silent"] * 20], 12),
        (["yes", *["silent", "unreachable"] * 10], 12),
        (["silent"] * 20, 12),
    ],
)
def test_a_worker_gives_up_a_head_that_refuses_and_waits_a_minute_for_one_that_is_silent(
    tmp_path: Path, states: list[str], ended: int | None
) -> None:
    """Each look takes five seconds here; the last state of those that are listed stays."""
    call = f'HEAD_IP=10.0.0.1 GCS_PORT=6379 at=0 STATES=({" ".join(states)})\nsay() {{ echo "$*"; }}\n'
    call += f"timeout() {{{PROBE}}}\n"
    call += f'wait_while() {{\n  while "$@"; do\n    ((++at < {len(states)})) || exit 5\n'
    call += "    SECONDS=$((SECONDS + 5))\n  done\n}\nSECONDS=100\nfollow_head\necho ${at}\n"
    status, said = run(tmp_path, "follow_head", call)
    if ended is None:
        assert (status, said) == (5, "")
    else:
        why = "has ended, and so does" if "silent" not in states else "has not answered for a minute, and so"
        assert status == 0
        assert said.splitlines()[-1] == str(ended)
        assert said.startswith(f"the head {why} this node")
