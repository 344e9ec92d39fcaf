"""What a driver writes into Ray's copy of the folder that it was sent with."""

from __future__ import annotations

SENT = {"submit": "ray-job", "runtime_env": {"working_dir": "."}}


def driver(*args, **more):
    given = {"command": ["python3", "t.py"], "args": list(args), **SENT, **more}
    return {"driver": {name: value for name, value in given.items() if value is not None}}


WRITTEN = (
    ("trainer.default_local_dir=checkpoints",),
    ("+trainer.default_local_dir=./checkpoints",),
    ("++a.b.output_dir=out/x",),
    ("--output_dir", "out"),
    ("--output-dir=out",),
    ("--save", "/ckpt", "--save-dir", "ckpt"),
    ("--ckpt.output_dir=x", "--log_dir=/x"),
    ("trainer.rollout_data_dir=dump/${{ name }}",),
    ("--save=ckpt",),
)
KEPT = (
    (),
    ("trainer.default_local_dir=/ckpt",),
    ("trainer.default_local_dir=${{ env.SCRATCH }}/ckpt",),
    ("trainer.save_freq=10", "--save", "10"),
    ("--save", "steps"),
    ("--save",),
    ("--save", "--lr", "1e-6"),
    ("output_dir=s3://bucket/x",),
    ("save_dir=null",),
    ("data.train_files=data/train.parquet", "model.path=Qwen/Qwen2.5-0.5B"),
    ("ckpt=last.ckpt", "--load_dir", "old"),
    ("output_dir=",),
)
CASES = {
    **{f"written: {' '.join(args)}": (driver(*args), ["MN319w"]) for args in WRITTEN},
    **{f"kept: {' '.join(args)}": (driver(*args), ["MN319n"]) for args in KEPT},
    "a file": (driver("--output-dir=out", runtime_env={"file": "re.yaml"}), ["MN319w"]),
    "nothing is sent": (driver("--output-dir=out", runtime_env={"env_vars": {"A": "b"}}), []),
    "no runtime_env": (driver("--output-dir=out", runtime_env=None), []),
    "not by Ray's jobs": (driver("--output-dir=out", submit="direct", runtime_env=None), []),
}


def test_findings(codes, fields, expected):
    assert [code for code in codes(**fields) if code.startswith("MN319")] == expected
