"""A next attempt, and whether what is run knows which one it is."""

from __future__ import annotations

RETRY = {"retry": {"max": 2}}
KNOWS = {
    "driver's argument": {"driver": {"args": ["--attempt=${{ attempt }}"]}},
    "driver's command": {"driver": {"command": ["train", "${{ attempt }}"]}},
    "driver's last argument": {"driver": {"extra_args": ["a=${{ attempt }}"]}},
    "driver's shell": {"driver": {"command": ["bash", "-c", "train --resume=$ATTEMPT"]}},
    "driver and Slurm's own count": {"driver": {"args": ["${{ env.SLURM_RESTART_COUNT }}"]}},
    "variable": {"env": {"TRY": "${{ attempt }}"}},
    "variable of a service": {"services": {"a": {"env": {"TRY": "${{ attempt }}"}}}},
    "service's argument": {"services": {"a": {"command": ["serve", "${{ attempt }}"]}}},
    "setup": {"setup": "((ATTEMPT == 0)) || export RESUME=$ATTEMPT"},
    "setup, in arithmetic alone": {"setup": "if ((ATTEMPT > 0)); then export RESUME=1; fi"},
    "setup by Slurm's own count": {"setup": "export RESUME=${SLURM_RESTART_COUNT:-0}"},
    "text before the container": {"host_setup": "export RESUME=${ATTEMPT}"},
    "step": {"prepare": ["fetch --attempt ${{ attempt }}"]},
}
CASES = {
    **{f"{name} knows": ({**RETRY, **fields}, []) for name, fields in KNOWS.items()},
    "nothing knows": (RETRY, ["MN246n"]),
    "clean-up alone knows": ({**RETRY, "cleanup": "rm -rf /scratch/me/$ATTEMPT"}, ["MN246n"]),
    "a word that is none": ({**RETRY, "setup": "export ATTEMPTS=$MY_ATTEMPT"}, ["MN246n"]),
    "a comment": ({**RETRY, "setup": "# the same for each ATTEMPT\ntrue"}, ["MN246n"]),
    "another attempt by the time limit": (
        {"on_time_limit": {"then": "requeue"}, "slurm": {"time": "1-0"}, **KNOWS["setup"]},
        [],
    ),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)
