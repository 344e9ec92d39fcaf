"""Slurm's variables in texts that run where there are none."""

import pytest

DOCKER = {"runtime": "docker", "image": {"ref": "a:1@sha256:" + "0" * 64}}
CLEAN = {"runtime": "apptainer", "image": {"sif": "/a.sif"}, "container": {"clean_env": True}}
MANUAL = {"kind": "manual"}


def inline(text: str) -> dict[str, object]:
    return {"driver": {"command": ["bash", "-c", text]}}


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ({**DOCKER, "cleanup": 'rm -rf "/scratch/${SLURM_JOB_ID}" # $SLURM_NODEID'}, 1),
        ({**DOCKER, "runtime": "podman", **inline("echo ${lrs[SLURM_ARRAY_TASK_ID]}")}, 1),
        ({**CLEAN, **inline("echo $SLURM_ARRAY_TASK_ID ${SLURM_ARRAY_TASK_ID}")}, 1),
        ({**MANUAL, "setup": "cd /scratch/$SLURM_JOB_ID\necho ${#SLURM_NODELIST} ${SLURM_NODEID%x}"}, 3),
        ({**MANUAL, "host_setup": "cd /scratch/$SLURM_JOB_ID"}, 1),
        ({**MANUAL, "env": {"SLURM_A": "1"}, "setup": "SLURM_B=1\necho $SLURM_A $SLURM_B"}, 0),
        ({**MANUAL, "setup": "[[ -z ${SLURM_JOB_ID:-} ]] || echo $SLURM_JOB_ID ${SLURM_X+x} # $SLURM_Y"}, 0),
        ({**MANUAL, "cleanup": "echo ${SLURM_JOB_ID-none} '${{ env.SLURM_JOB_ID }}'"}, 0),
        ({"setup": "cd /scratch/$SLURM_JOB_ID"}, 0),
        ({**DOCKER, "host_setup": "cd /scratch/$SLURM_JOB_ID"}, 0),
        ({**CLEAN, "container": {}, "setup": "cd /scratch/$SLURM_JOB_ID"}, 0),
    ],
)
def test_a_text_that_would_read_nothing_is_named(codes, fields, count):
    assert [code for code in codes(**fields) if code == "MN304w"] == ["MN304w"] * count


@pytest.mark.parametrize(
    ("name", "kind", "hint"),
    [
        ("SLURM_JOB_ID", "manual", "write ${{ job_id }}"),
        ("SLURM_ARRAY_TASK_ID", "slurm", "write ${{ env.SLURM_ARRAY_TASK_ID }}"),
        ("SLURM_ARRAY_TASK_ID", "manual", "keep the text to targets of kind slurm"),
    ],
)
def test_what_to_write_instead(findings, name, kind, hint):
    (one,) = (one for one in findings(**DOCKER, kind=kind, cleanup=f"ls /x/${name}") if one.code == "MN304")
    assert one.hint.startswith(hint)
