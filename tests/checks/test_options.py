from __future__ import annotations

import re
from pathlib import Path

import pytest

from mngen.checks.option_tables import find_program, programs, table
from mngen.checks.options import parse, parse_command
from mngen.checks.slurm_values import FORMS, is_mail
from mngen.manifest.judging.slurm_options import FLAGS, KNOWN, OPTIONAL

GOOD = [
    ("sbatch", ["--parsable", "--nodes=2", "-t", "2-00:00:00", "--signal=B:USR1@300", "job.sbatch", "--not-slurm"]),
    ("sbatch", ["--exclude=gpu[07-09]", "--gpus-per-node=a100:8", "--mem=0", "--exclusive", "-Cgpu&hbm40g", "j"]),
    *(("sbatch", [f"--array={value}"]) for value in ("1-7:2%3,9", "0-3", "7", "1,5,9%2", "0-15:4", "[1-3]", "00-12%4")),
    *(("sbatch", [f"--mail-type={value}"]) for value in ("ALL", "begin,End,FAIL", "TIME_LIMIT_80,ARRAY_TASKS", "NONE")),
    *(("sbatch", [f"--signal={value}"]) for value in ("USR1", "10", "B:USR1@300", "R:SIGTERM@60", "rb:12@0", "BINT@9")),
    *(
        ("sbatch", ["--dependency", value])
        for value in (
            *("singleton", "afterok:1", "afterany:1:2,afterok:3", "afterok:1?afternotok:2", "after:1+5", "1234"),
            *("aftercorr:1_2", "afterok:1_*", "afterburstbuffer:7", "AfterOK:1", "singleton,afterok:9", "1,2", "0"),
            *("expand:5", "afterok:1_[2,4-5]:3", "afterok:1(failed)"),
        )
    ),
    *(("sbatch", [f"--begin={value}"]) for value in ("16:00", "now+1hour", "tomorrow", "2030-01-20T12:34:00", "0120")),
    *(("sbatch", [f"--exclusive={value}"]) for value in ("user", "mcs", "topo", "USER", "allocation")),
    *(("sbatch", [f"--nice{value}"]) for value in ("", "=100", "=-5")),
    ("sbatch", ["--ntasks=4", "-c", "08", "--ntasks-per-node=1", "--deadline=noon"]),
    *(("sbatch", [f"--get-user-env{value}"]) for value in ("", "=L", "=60L", "=60")),
    ("sbatch", ["--exclusive=user", "--nice=10", "--propagate=STACK", "--no-kill=off"]),
    ("srun", ["-N2", "-n", "2", "--ntasks-per-node=1", "-c", "8", "-K0", "--overlap", "bash", "-c", "true"]),
    ("srun", ["--container-image=a#b:c", "--container-mounts=/a:/b", "--no-container-mount-home", "x"]),
    ("docker run", ["--rm", "-i", "--init", "-e", "A=b c", "-eX=1", "--gpus", "all", "-v/a:/b", "img", "--x", "y"]),
    ("docker run", ["-it", "--rm=true", "--entrypoint", "", "img"]),
    ("podman run", ["--rm", "--userns=keep-id", "--group-add", "keep-groups", "--device", "/dev/kfd", "img", "cmd"]),
    ("apptainer exec", ["--nv", "-B", "/a:/b", "--bind=/c", "--pwd", "/w", "--cleanenv", "--no-home", "x.sif", "ls"]),
    ("ray start", ["--head", "--port=6380", "--num-gpus", "8", "--block", "--dashboard-host=127.0.0.1"]),
    ("ray start", ["--address", "[fd00::2]:6379", "--node-ip-address=fd00::3", "--num-cpus=4"]),
    ("ray job submit", ["--address=http://127.0.0.1:8265", "--no-wait", "--", "bash", "-c", "x", "--foo"]),
    ("ray symmetric-run", ["--address", "h:1", "--min-nodes", "2", "--num-gpus=1", "--", "python3", "-m", "x"]),
    ("sky launch", ["-c", "verl", "--secret", "A", "--env", "B=c", "-y", "task.yaml"]),
    ("docker buildx build", ["-t", "a:b", "--push", "--build-arg", "A=b", "-f", "x/Dockerfile", "."]),
    ("docker build", ["--file=x", "--tag", "a:b", "."]),
    ("squeue", ["--me", "-j", "1", "--format=%i"]),
    ("sacct", ["-j", "1", "--format=JobID,State"]),
    ("scancel", ["--signal=USR1", "--batch", "1"]),
    ("dstack apply", ["-f", "task.dstack.yml", "-y", "--env", "A"]),
]

BAD = [
    ("sbatch", ["--partion=gpu"], "unknown option --partion"),
    ("sbatch", ["--part=gpu"], "--part is short for --partition; write it out"),
    ("sbatch", ["-A=acct"], "-A=acct: a short option has no `=`; the value would begin with it"),
    ("sbatch", ["--nodes=two"], "--nodes: `two` is not a number of nodes such as 4 or 2-4"),
    *(
        ("sbatch", [f"--array={value}"], f"--array: `{value}` is not a list of indices such as 0-7, 1-15:2 or 1,3,5%2")
        for value in ("a-b", "1..5", "3-1", "1-5:0", "0-n", "-1", "1;2")
    ),
    ("sbatch", ["--mail-type=FOO"], "--mail-type: `FOO` is not a list such as BEGIN,END,FAIL"),
    *(
        ("sbatch", [f"--signal={value}"], f"--signal: `{value}` is not a signal such as B:USR1@300")
        for value in ("B:FOO@10", "USR3", "B:", "0", "USR1@soon", "USR1@99999", "X:USR1", "RTMIN+1")
    ),
    *(
        ("sbatch", ["-d", value], f"--dependency: `{value}` is not a dependency such as afterok:1234, {others}")
        for others in ("afterany:12:13 or singleton",)
        for value in (
            "foo:1",
            "afterok",
            "afterok:",
            "afterok:x",
            "afterok:1,",
            "afterok:1,singleton?after:2",
            "single",
        )
    ),
    *(
        ("sbatch", [f"{option}={value}"], f"{option}: `{value}` is not a moment such as 16:00, {others}")
        for others in ("now+1hour or 2030-01-20T12:34:00",)
        for option in ("--begin", "--deadline")
        for value in ("whenever", "now+1h", "24:00", "next monday", "20.01.2030")
    ),
    (
        "sbatch",
        ["--exclusive=foo"],
        "--exclusive: `foo` is not one of exclusive, allocation, oversubscribe, user, mcs, topo",
    ),
    ("sbatch", ["--nice=x"], "--nice: `x` is not a whole number"),
    *(
        ("sbatch", [f"{option}={value}"], f"{option}: `{value}` is not a whole number of 1 or more")
        for option in ("--ntasks", "--cpus-per-task", "--ntasks-per-node", "--threads-per-core")
        for value in ("-1", "0", "x", "1.5")
    ),
    ("sbatch", ["--hold=1"], "--hold takes no value, but `1` is given"),
    ("sbatch", ["--nodes"], "--nodes needs a value, and the line ends"),
    ("sbatch", ["--account="], "--account has an empty value"),
    ("sbatch", ["--nodes=1", "-N", "2"], "--nodes is given twice"),
    ("srun", ["--ntasks", "--overlap"], "--ntasks takes the option `--overlap` as its value"),
    ("srun", ["--no-container-mount-home--gres=gpu:8", "x"], "unknown option --no-container-mount-home--gres"),
    ("sbatch", ["--mem=1G", "--mem-per-cpu=1G"], "--mem and --mem-per-cpu exclude each other"),
    (
        "sbatch",
        ["--job-name=hetjob-1"],
        "--job-name: `hetjob-1` holds `hetjob`, which Slurm reads as a separator of job components",
    ),
    ("docker run", ["--rmm", "img"], "unknown option --rmm"),
    ("docker run", ["--network=host", "-p", "8265:8265", "i"], "--publish has no effect with --network host"),
    ("apptainer exec", ["--bnd", "/a", "x.sif"], "unknown option --bnd"),
    ("ray start", ["--num-gpus", ""], "--num-gpus has an empty value"),
    ("ray start", ["--num-gpus", "mi300x:8"], "--num-gpus: `mi300x:8` is not a whole number"),
    (
        "ray start",
        ["--address=fd00::2:6379"],
        "--address: `fd00::2:6379` is an IPv6 address without brackets; write [address]:port",
    ),
    ("ray start", ["--address=:6379"], "--address: `:6379` has no host"),
    ("ray start", ["--head", "--port=6379", "--dashboard-port=6379"], "--dashboard-port and --port are both 6379"),
    (
        "ray start",
        ["--head", "--port=12000", "--min-worker-port=10002", "--max-worker-port=19999"],
        "--port: 12000 lies in the worker range 10002-19999",
    ),
    ("ray start", ["--head", f"--temp-dir=/{'x' * 43}"], "--temp-dir: 44 bytes; Ray's socket paths allow 43"),
    ("ray job submit", ["python3", "-m", "x"], "unknown option -m"),
]


@pytest.mark.parametrize(("program", "argv"), GOOD)
def test_accepts_what_the_program_accepts(program: str, argv: list[str]) -> None:
    assert parse_command(program, argv) == []


@pytest.mark.parametrize(("program", "argv", "problem"), BAD)
def test_refuses_what_the_program_refuses(program: str, argv: list[str], problem: str) -> None:
    assert problem in parse_command(program, argv)


@pytest.mark.parametrize(
    ("program", "argv", "version", "problem"),
    [
        ("sbatch", ["--segment=2"], "23.11", "--segment exists since 24.05, not in 23.11"),
        ("sbatch", ["--export-file=x"], "24.05", "--export-file is gone since 23.11"),
        ("ray start", ["--head", "--storage=x"], "2.52.1", "--storage is gone since 2.49"),
        (
            "ray symmetric-run",
            ["--address=a:1", "--", "x"],
            "2.49.2",
            "ray symmetric-run exists since 2.50, not in 2.49.2",
        ),
        (
            "sbatch",
            ["--gres=gpu:8", "--gpus-per-node=8"],
            "26.05",
            "--gres=gpu and --gpus-per-node exclude each other (Slurm 26.05 ends the job)",
        ),
        (
            "sbatch",
            ["--tres-per-task=cpu:4", "-c4"],
            "24.05",
            "--tres-per-task with cpu and --cpus-per-task exclude each other",
        ),
    ],
)
def test_knows_which_release_has_an_option(program: str, argv: list[str], version: str, problem: str) -> None:
    assert problem in parse_command(program, argv, version)


def test_what_the_manifest_takes_is_taken() -> None:
    schema = Path(__file__).resolve().parents[2] / "schemas/manifest.v1.schema.json"
    (mail,) = re.findall(r'"pattern": "\^\(\((NONE\|[A-Z_0-9|]+)\)', schema.read_text(encoding="utf-8"))
    assert len(mail.split("|")) > 10
    assert [word for word in mail.split("|") if not is_mail(word)] == []


def test_older_release_has_no_newer_rule() -> None:
    assert parse_command("sbatch", ["--gres=gpu:8", "--gpus-per-node=8"], "24.11") == []
    assert parse_command("sbatch", ["--gres=gpu:8", "--gpus-per-node=8"]) != []


def test_parsed_parts() -> None:
    parsed = parse("docker run", ["--rm", "-e", "A=1", "-e", "B=2", "img:tag", "cmd", "--flag"])
    assert parsed.has("--rm")
    assert parsed.values("--env") == ("A=1", "B=2")
    assert parsed.value("--name") is None
    assert parsed.operands == ("img:tag", "cmd", "--flag")


def test_finds_the_program_of_a_command_line() -> None:
    assert find_program(["/opt/bin/singularity", "exec", "x"]) == ("apptainer exec", 2)
    assert find_program(["ray", "job", "submit", "--", "x"]) == ("ray job submit", 3)
    assert find_program(["srun"]) == ("srun", 1)
    assert find_program(["ls"]) is None
    assert find_program([]) is None


@pytest.mark.parametrize("program", programs())
def test_every_table_reads(program: str) -> None:
    rules = table(program)
    assert rules.options
    kinds = {
        "flag",
        "count",
        "optional",
        "value",
        "int",
        "number",
        "bool",
        "size",
        "time",
        "counts",
        "nodes",
        "choice",
        "positive",
        *FORMS,
    }
    assert {option.kind for option in rules.options.values()} <= kinds


def test_unknown_program() -> None:
    with pytest.raises(KeyError):
        table("nope")


def test_options_with_a_value_at_will_are_those_of_the_manifest() -> None:
    """What a job file may have without a value, ``slurm.extra`` may; and the other way round."""
    rules = table("sbatch").options
    at_will = {name for name in KNOWN if name in rules and rules[name].kind == "optional"}
    assert at_will - FLAGS == OPTIONAL
    assert {name for name in FLAGS if name in rules and rules[name].takes_value} == set()
    assert {name for name in KNOWN - FLAGS - OPTIONAL if name in rules and not rules[name].takes_value} == set()
