"""Slurm: raw options, GPU requests, text of directives, logs, exports, clashes, versions, time limits."""

from __future__ import annotations

import pytest

from mngen.manifest.judging.slurm_options import extra_options
from mngen.targets.slurm_directives import directives


def slurm(**values):
    return {"slurm": values}


def extra(*words, **more):
    return {"slurm": {"extra": list(words), **more.pop("slurm", {})}, **more}


LIMIT = {"on_time_limit": {"before": 300}}
# Nothing in the job file waits for a signal that it was not told of.
SIGNALS = [
    "--signal=B:USR1@60",
    "--signal|USR1@60",
    "--signal R:USR2",
    "--signal=10",
    "--sig=rb:sigterm@5",
    "--signal=x",
]
CASES = {
    "Slurm's variable on another kind of target": ({"kind": "manual", "cleanup": "ls /x/$SLURM_JOB_ID"}, ["MN304w"]),
    "Slurm's variable on its node": ({"cleanup": "ls /x/$SLURM_JOB_ID"}, []),
    "text that turns its direction": ({"slurm": {"comment": "a\u202eb"}}, ["MN254"]),
    "blank that is none": ({"slurm": {"account": "a\u00a0b"}}, ["MN254"]),
    "line separator": (extra("--comment=a\u2028b"), ["MN254"]),
    "letters of other languages": ({"slurm": {"comment": "größe 大 ☃"}}, []),
    "invisible, but not on Slurm": ({"kind": "manual", "slurm": {"comment": "a\u202eb"}}, []),
    "what sites need": (
        extra("--quotatype=reserved", "-C", "gpu&hbm40g", "--exclude=gpu[07-09]", "--array=1-1%64", "--exclusive"),
        [],
    ),
    "typed and raw": (extra("--partition=debug", slurm={"partition": "gpu"}), ["MN228"]),
    "typed and raw by letter": (extra("-p debug", slurm={"partition": "gpu"}), ["MN228"]),
    "typed and raw in two items": (extra("-p", "debug", slurm={"partition": "gpu"}), ["MN228"]),
    "typed and raw by abbreviation": (extra("--part=debug", slurm={"partition": "gpu"}), ["MN228"]),
    "typed requeue and raw no-requeue": (extra("--no-requeue", slurm={"requeue": True}), ["MN228"]),
    "nodes": (extra("-N", "4"), ["MN228"]),
    "tasks": (extra("--ntasks-per-node=8"), ["MN228"]),
    "job name": (extra("--job-name=x"), ["MN228"]),
    "output": (extra("-o", "x.log"), ["MN228"]),
    "error": (extra("-e", "x.err"), []),
    "cpus": (extra("-c8", resources={"cpus": 8}), ["MN228"]),
    "cpus, only raw": (extra("-c8"), []),
    "memory": (extra("--mem=0", resources={"memory": "64G"}), ["MN228"]),
    "memory, only raw": (extra("--mem=0"), []),
    "signal": (extra("--signal=USR1@60", slurm={"time": "1-0"}, **LIMIT), ["MN228"]),
    **{f"signal, only raw: {word}": (extra(*word.split("|")), ["MN228"]) for word in SIGNALS},
    "another cluster": (extra("-M", "c2"), ["MN228"]),
    **{f"nothing is submitted: {word}": (extra(word), ["MN228"]) for word in ("--test-only", "--help", "--version")},
    "another batch host than the head": (extra("--batch=bigmem"), ["MN228"]),
    "a submission that waits": (extra("-W"), ["MN228"]),
    "twice": (extra("--comment=a", "--comment=b"), ["MN228"]),
    "two generic resources": (extra("--gres=nvme:1", "--gres=lic:1"), []),
    "no value": (extra("--constraint"), ["MN229"]),
    "no value, by letter": (extra("-p"), ["MN229"]),
    "no value needed": (extra("--exclusive", "--nice", "-k", "--site-option"), []),
    "a stray word": (extra("exclusive"), ["MN229"]),
    "gres and gpus-per-node": (extra("--gres=gpu:8"), ["MN230"]),
    "gres in two items": (extra("--gres", "gpu:h100:8"), ["MN230"]),
    "GPUs of the whole job": (extra("-G", "16"), []),
    "GPUs of the whole job, with another type": (extra("--gpus=h100:16"), ["MN230"]),
    "GPUs of the whole job, with their type": (
        extra("--gpus=h100:16", slurm={"gpu_request": {"type": "h100"}}),
        [],
    ),
    "GPUs of the whole job beside gres": (extra("--gpus=16", slurm={"gpu_request": {"form": "gres"}}), []),
    "other GPUs of the whole job": (extra("-G", "8"), ["MN230"]),
    "other GPUs of the whole job beside gres": (
        extra("--gpus=h100:8", slurm={"gpu_request": {"form": "gres"}}),
        ["MN230"],
    ),
    "other gres": (extra("--gres=nvme:1"), []),
    "gres among others": (extra("--gres=nvme:1,gpu:8"), ["MN230"]),
    "other gres beside gres": (extra("--gres=nvme:1", slurm={"gpu_request": {"form": "gres"}}), ["MN230"]),
    "raw request of a silent form": (extra("--gres=gpu:8", slurm={"gpu_request": {"form": "none"}}), []),
    "two raw requests": (
        extra("--gres=gpu:8", "--gpus-per-node=8", slurm={"gpu_request": {"form": "none"}}),
        ["MN230"],
    ),
    "raw request, no GPUs": (extra("--gres=gpu:8", resources={"gpus": 0}), ["MN230"]),
    "no request": (slurm(gpu_request={"form": "none"}), ["MN231w"]),
    "no request on whole nodes": (slurm(gpu_request={"form": "none"}, exclusive=True), []),
    "comment in raw": (extra("--comment=a #b"), ["MN232"]),
    "escaped comment in raw": (extra("--container-image=nvcr.io\\#nvidia/pytorch:25.01-py3"), []),
    "hetjob in capitals": ({"slurm": {"comment": "a HetJob"}}, ["MN233"]),
    "hetjob in the name": ({"workload": "my-hetjob"}, ["MN233"]),
    "packjob in the log": (slurm(output="logs/packjob-%j.out"), ["MN233"]),
    "variable in the log": (slurm(output="$SCRATCH/%j.out"), ["MN234"]),
    "home in the log": (slurm(output="~/logs/%j.out"), ["MN234"]),
    "variable in raw": (extra("--chdir=$HOME"), ["MN234"]),
    "home in raw": (extra("--chdir=~/x"), ["MN234"]),
    **{
        f"comment, {place}: {text}": (fields, [])
        for text in ("budget 5$ an hour", "US$5", "the `verl` run", "~5 hours", "a=~b", "$", "costs $5")
        for place, fields in {
            "typed": slurm(comment=text),
            "raw": extra(f"--comment={text}"),
            "raw, in two": extra("--comment", text),
        }.items()
    },
    **{
        f"comment that a shell would read otherwise: {text}": (slurm(comment=text), ["MN234n"])
        for text in ("$SCRATCH/x", "run ${NAME}", "$(date)", "~/x", "dir=~/x")
    },
    "behind a comment": (extra("--comment=5$", "--chdir=$HOME"), ["MN234"]),
    "comment in raw that a shell would read otherwise": (extra("--comment=$USER"), ["MN234n"]),
    "tilde elsewhere": (slurm(comment="a~b"), []),
    "pattern in the folder": (slurm(output="logs/%j/out.log"), ["MN235"]),
    "pattern in logs.dir": ({"logs": {"dir": "logs/%j"}}, ["MN235"]),
    "pattern in the file": (slurm(output="logs/%x-%j.out"), []),
    "doubled percent": (slurm(output="logs/100%%/%j.out"), []),
    "array into one log": (slurm(output="out.log", array="0-3"), ["MN236w"]),
    "array into a log by job": (slurm(output="%A.log", array="0-3"), ["MN236w"]),
    "raw array into one log": (extra("--array=0-3", slurm={"output": "out.log"}), ["MN236w"]),
    "raw array into one raw log of errors": (extra("--array=0-3", "-e", "err.log"), ["MN236w"]),
    "raw log of errors in a folder by job": (extra("--error=%j/err.log"), ["MN235"]),
    "array into logs": (slurm(output="%A_%a.log", array="0-3"), []),
    "array into one log of errors": (slurm(error="err.log", array="0-3"), ["MN236w"]),
    "array into one endpoint": ({"endpoint": {"file": "/shared/e.json"}, **slurm(array="0-3")}, ["MN236w"]),
    "array into endpoints by job": ({"endpoint": {"file": "/shared/${{ job_id }}.json"}, **slurm(array="0-3")}, []),
    "array into endpoints by task": (
        {"endpoint": {"file": "/shared/${{ env.SLURM_ARRAY_TASK_ID }}.json"}, **slurm(array="0-3")},
        [],
    ),
    "attempts that empty the log": (
        {"on_time_limit": {"then": "requeue"}, "resume": {"args": ["a"]}, **slurm(open_mode="truncate", time="1-0")},
        ["MN236w"],
    ),
    "attempts that go on in the log": (
        {"on_time_limit": {"then": "requeue"}, "resume": {"args": ["a"]}, **slurm(output="out.log", time="1-0")},
        [],
    ),
    "two exports": (extra("--export=ALL", slurm={"export": "ALL"}), ["MN228", "MN237"]),
    "two raw exports": (extra("--export=ALL", "--export=ALL,A=1"), ["MN228", "MN237", "MN238w"]),
    "export of one variable": (slurm(export="MYVAR=1"), ["MN238"]),
    "export of nothing": (slurm(export="NONE"), []),
    "export of nothing, with secrets": ({**slurm(export="NONE"), "secrets": {"A": {}}}, ["MN239"]),
    "export of nothing, secrets in files": ({**slurm(export="NONE"), "secrets": {"A": {"file": "/a"}}}, []),
    "exclusive and shared": (slurm(exclusive=True, oversubscribe=True), ["MN240"]),
    "exclusive, not shared": (slurm(exclusive=True, oversubscribe=False), []),
    "core and thread specialisation": (extra("--thread-spec=2", slurm={"core_spec": "1"}), ["MN240"]),
    "hint and threads": (slurm(hint="nomultithread", threads_per_core="1"), ["MN240"]),
    "memory twice, raw": (extra("--mem=1G", "--mem-per-cpu=1G"), ["MN240"]),
    "two CPU forms": (extra("--tres-per-task=cpu:8", resources={"cpus": 8}), ["MN240"]),
    "two CPU forms, raw, old Slurm": (
        extra("--cpus-per-gpu=8", "--cpus-per-task=8", slurm={"version": "22.05"}),
        [],
    ),
    "two CPU forms, raw, new Slurm": (
        extra("--cpus-per-gpu=8", "--cpus-per-task=8", slurm={"version": "24.11"}),
        ["MN240"],
    ),
    "more hosts than nodes": (slurm(nodelist="gpu-[01-04]"), ["MN240"]),
    "more hosts than nodes, raw": (extra("-w", "a,b,c"), ["MN240"]),
    "as many hosts as nodes": (slurm(nodelist="gpu-[0,1]"), []),
    "a host to have and to leave out": (slurm(nodelist="gpu-[08-09]", exclude="a,gpu-09"), ["MN240"]),
    "a host to have and to leave out, raw": (extra("-x", "b", slurm={"nodelist": "b"}), ["MN240"]),
    "hosts to have, others to leave out": (slurm(nodelist="gpu-[08-09]", exclude="gpu-9,gpu-10"), []),
    "hosts of a file to leave out": (slurm(nodelist="a", exclude="./a"), []),
    "a misspelt moment": (slurm(begin="tomorow"), ["MN243"]),
    "a misspelt moment, raw": (extra("-b", "now+1h"), ["MN243"]),
    "a deadline that is none": (slurm(deadline="2030-13-01"), ["MN243"]),
    "a moment": (slurm(begin="now+1hour", deadline="2030-01-20T12:34:00"), []),
    "two accounts": (slurm(account="a,b"), ["MN104"]),
    "an account with a blank": (slurm(account="a b"), ["MN104w"]),
    "several QOS and reservations": (slurm(qos="a,b", reservation="r-1,r_2"), []),
    "fewer hosts than nodes": (slurm(nodelist="gpu-1"), []),
    "hosts from a file": (slurm(nodelist="./hosts"), []),
    "Slurm outside of the table": (slurm(version="19.05"), ["MN241w"]),
    "Slurm of today": (slurm(version="26.05.5"), []),
    "segment in an old Slurm": (slurm(version="23.11", segment="2"), ["MN242"]),
    "segment in a newer Slurm": (slurm(version="24.05", segment="2"), []),
    "segment that does not divide": ({"resources": {"nodes": 6}, **slurm(segment="4")}, ["MN240"]),
    "segment that does not divide, raw": (extra("--segment=4", resources={"nodes": 6}), ["MN240"]),
    "segment that divides": ({"resources": {"nodes": 6}, **slurm(segment="3")}, []),
    "segment larger than the job": (slurm(segment="4"), ["MN240w"]),
    "exclusive=topo in an old Slurm": (slurm(version="23.11", exclusive="topo"), ["MN242"]),
    "exclusive=user in an old Slurm": (slurm(version="23.11", exclusive="user"), []),
    "raw segment in an old Slurm": (extra("--segment=2", slurm={"version": "23.11"}), ["MN242"]),
    "hours that are minutes": (slurm(time="24:00"), ["MN243n"]),
    "a number that is minutes": (slurm(time=24), ["MN243n"]),
    "a number that is a day of minutes": (slurm(time=1440), []),
    "minutes and seconds": (slurm(time="24:30"), []),
    "minimum beyond the limit": (slurm(time="10:00:00", time_min="1-00:00:00"), ["MN243"]),
    "hosts with a digit of another script": (slurm(nodelist="a[1-²]"), ["MN104"]),
    "array that runs backwards": (slurm(array="0,3-1"), ["MN104"]),
    "array beyond any Slurm": (slurm(array="0-99999999999"), ["MN104"]),
    "array with digits without end": (slurm(array="0-" + "9" * 5000), ["MN104"]),
    "array without a step": (slurm(array="0-5:0"), ["MN104"]),
    "array that runs backwards, raw": (extra("--array=3-1"), ["MN104"]),
    "array of all forms": (slurm(array="0-3,8-16:4,7%2"), []),
    "nodes with half a bracket": ({"resources": {"nodes": 9}, **slurm(nodelist="gpu[0")}, ["MN104"]),
    "nodes with the other half": (slurm(exclude="gpu0]"), ["MN104"]),
    "nodes with empty brackets": (slurm(exclude="gpu[]"), ["MN104"]),
    "licences with a blank": (slurm(licenses="a b"), ["MN104"]),
    "licences with nothing between": (slurm(licenses="a,,b"), ["MN104"]),
    "licences of all forms": (slurm(licenses="a@db:4,b"), []),
    "licences, any of them": (slurm(licenses="a|b:2"), []),
    "time beyond what Slurm counts": (slurm(time="99999999999999"), ["MN243"]),
    "days beyond what Slurm counts": (slurm(time="24856-00:00:00"), ["MN243"]),
    "a long time": (slurm(time="3650-00:00:00"), []),
    "no limit": (slurm(time="UNLIMITED"), []),
    "limit without a time": (LIMIT, ["MN244"]),
    "limit with a raw time": ({**LIMIT, **extra("-t", "60")}, []),
    "limit of an endless job": ({**LIMIT, **slurm(time="UNLIMITED")}, ["MN244"]),
    "signal before the start": ({**LIMIT, **slurm(time="00:06:00")}, ["MN244"]),
    "signal in time": ({**LIMIT, **slurm(time="00:07:00")}, []),
    "signal before the start of the shortest run": ({**LIMIT, **slurm(time="1-0", time_min="00:05:00")}, ["MN244"]),
    "signal in time of the shortest run": ({**LIMIT, **slurm(time="1-0", time_min="00:07:00")}, []),
    "signal before the start of the shortest run, raw": (
        {**LIMIT, **extra("--time-min=5", slurm={"time": "1-0"})},
        ["MN244"],
    ),
    "signal before the start of either run": ({**LIMIT, **slurm(time="00:06:00", time_min="00:06:00")}, ["MN244"]),
    "requeue forbidden": (
        {"on_time_limit": {"then": "requeue"}, "resume": {"args": ["a"]}, **slurm(time="1-0", requeue=False)},
        ["MN245"],
    ),
    "requeue without resume": ({"on_time_limit": {"then": "requeue"}, **slurm(time="1-0")}, ["MN246n"]),
    "retry forbidden": ({"retry": {"max": 1}, "resume": {"args": ["a"]}, **slurm(requeue=False)}, ["MN245"]),
    "retry forbidden by hand": ({"retry": {}, "resume": {"args": ["a"]}, **extra("--no-requeue")}, ["MN228"]),
    "retry and an emptied log": (
        {"retry": {}, "resume": {"args": ["a"]}, **slurm(open_mode="truncate")},
        ["MN236w"],
    ),
    "retry without resume": ({"retry": {}}, ["MN246n"]),
    "resume with retry": ({"retry": {}, "resume": {"args": ["a"]}}, []),
    "resume without requeue": ({"resume": {"args": ["a"]}}, ["MN246w"]),
    "resume with Slurm's requeue": ({"resume": {"args": ["a"]}, **slurm(requeue=True)}, []),
    "loss of a node": ({"on_node_loss": "continue"}, []),
    "loss of a node without no_kill": ({"on_node_loss": "continue", **slurm(no_kill=False)}, ["MN247w"]),
    "loss of a node with no_kill": ({"on_node_loss": "continue", **slurm(no_kill=True)}, []),
    "loss of the only node": ({"on_node_loss": "continue", "resources": {"nodes": 1}}, ["MN247w"]),
    "loss of a node on SkyPilot": ({"on_node_loss": "continue", "kind": "skypilot"}, ["MN247w"]),
    "loss of a machine by hand": ({"on_node_loss": "continue", "kind": "manual"}, []),
    "not Slurm at all": ({"kind": "dstack", **extra("--nodes=4"), "on_time_limit": {}}, []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


@pytest.mark.parametrize("fields", [{}, slurm(no_kill=True), slurm(no_kill=False)])
def test_whether_a_job_outlives_a_node_is_said_by_its_directives(codes, target, fields):
    lines = [str(line) for line in directives(target(on_node_loss="continue", **fields))]
    last = [line for line in lines if line.startswith(("--no-kill", "-k"))][-1]
    assert ("MN247w" in codes(on_node_loss="continue", **fields)) is (last == "--no-kill=off")


def test_the_shortest_run_is_named(findings):
    (found,) = findings(**LIMIT, **slurm(time="1-0", time_min="00:05:00"))
    assert "slurm.time_min is 00:05:00 (300 s)" in found.message
    assert "longer time_min" in found.hint


@pytest.mark.parametrize(("time", "told"), [(1, "1 minute, not an hour"), (24, "24 minutes, not hours")])
def test_minutes_are_told_in_good_english(findings, time, told):
    (found,) = findings(**slurm(time=time))
    assert found.message == f"slurm.time {time} is {told}"


def test_a_raw_signal_leads_to_the_field(findings):
    (found,) = findings(**extra("--signal=B:10@120"))
    assert "on_time_limit: {signal: USR1, before: 120}" in found.hint


def test_gres_names_both_and_the_release(findings):
    (found,) = findings(**extra("--gres=gpu:8", slurm={"version": "26.05"}))
    assert "--gres" in found.message
    assert "--gpus-per-node" in found.message
    assert "26.05" in found.message
    assert {label.text for label in found.labels} == {"resources.gpus is set here", "slurm.gpu_request is set here"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-C", "a&b"], [("--constraint", "a&b", 0)]),
        (["-Cnvme"], [("--constraint", "nvme", 0)]),
        (["--gres=gpu:8"], [("--gres", "gpu:8", 0)]),
        (["--gres gpu:8", "-k"], [("--gres", "gpu:8", 0), ("--no-kill", None, 1)]),
        (['--comment="a b"'], [("--comment", "a b", 0)]),
        (["--exclusive", "--qos", "x"], [("--exclusive", None, 0), ("--qos", "x", 1)]),
    ],
)
def test_extra_options(target, words, expected):
    found = extra_options(target(slurm={"extra": words}))
    assert [(option.name, option.value, option.index) for option in found] == expected
