"""Text that no shell reads, and that seems to be written for one."""

from __future__ import annotations


def submitted(**variables):
    return {"driver": {"submit": "ray-job", "runtime_env": {"env_vars": variables}}}


CASES = {
    "argument with no port": ({"services": {"web": {}}, "driver": {"args": ["${{ services.web.port }}"]}}, ["MN285"]),
    "option and value in one argument": ({"driver": {"args": ["--lr 1e-5"]}}, ["MN297w"]),
    "option with its value": ({"driver": {"args": ["--lr=1e-5", "--prompt=two words", "--note", "-- a b"]}}, []),
    "option and value for a shell": ({"driver": {"command": ["bash", "-c", "--lr 1e-5"]}}, []),
    "argument with what is almost a placeholder": ({"driver": {"args": ["n={{ nodes }}"]}}, ["MN297w"]),
    "argument with a placeholder's name after a dollar": ({"driver": {"args": ["n=${total_gpus}"]}}, ["MN297w"]),
    "argument with a folder that is almost a placeholder": (
        {"driver": {"args": ["{{ data }}/ckpt", "x={{name}}/a", "x={{ x.y }}/{{ z }}"]}},
        ["MN297w"] * 2,
    ),
    "argument with a template of its own": ({"driver": {"args": ["{{ messages }} ${x} $y {{ name }}"]}}, []),
    "argument with a variable": ({"driver": {"args": ["data.files=$HOME/data"]}}, ["MN297w"]),
    "argument with a variable in braces": ({"driver": {"extra_args": ["${SCRATCH}/x"]}}, ["MN297w"]),
    "argument of hydra": ({"driver": {"args": ["x=${oc.env:HOME}", "y=${a.b}", "z=$lower"]}}, []),
    "argument with a home": ({"driver": {"args": ["~/data", "--data=~/x"]}}, ["MN297w"] * 2),
    "argument that leaves a key out": ({"driver": {"args": ["~trainer.logger", "a=b~/c", "~"]}}, []),
    "argument of a shell": ({"driver": {"command": ["bash", "-c", "cd $HOME && ./x"]}}, []),
    "parameters of a shell": (
        {"driver": {"command": ["bash", "-ec", 'exec "$@" $HOME', "x", "$HOME"], "args": ["${KEY}", "--lr 1"]}},
        ["MN297w"] * 3,
    ),
    "text of a shell among the arguments": (
        {"driver": {"command": ["/bin/bash", "--login", "-c"], "args": ["$A"]}},
        [],
    ),
    "text of a shell behind options with a value": (
        {
            "driver": {
                "command": ["bash", "-O", "extglob", "-eo", "pipefail", "--rcfile", "/x", "+x", "-c", "$A", "x", "$B"]
            }
        },
        ["MN297w"],
    ),
    "arguments of a script": ({"driver": {"command": ["bash", "-x", "run.sh", "$HOME"]}}, ["MN297w"]),
    "arguments of Ray": (
        {
            "ray": {
                "start_args": ["--resources=$RES", "--labels=a=$(hostname)"],
                "head_args": ["--plasma-directory=$((2 * 3))"],
            }
        },
        ["MN297w"] * 3,
    ),
    "arguments of Ray that are what they seem": (
        {"ray": {"start_args": ['--resources={"a": 1}', "--labels=b=c"], "worker_args": ["--labels-file=US$5"]}},
        [],
    ),
    "a command's output in arguments": (
        {"driver": {"args": ["$(date +%s)", "--t=`date`", "price=$(5", "a $(b)"]}},
        ["MN297w"] * 2,
    ),
    "a command's output that a shell works out": ({"driver": {"command": ["bash", "-c", "$(date)"]}}, []),
    "variables of a service": (
        {"services": {"a": {"command": ["serve"], "env": {"X": "$SCRATCH/y", "Y": "$(id)", "Z": "a$b"}}}},
        ["MN297w"] * 2,
    ),
    "variables that Ray fills in": (
        submitted(X="$HAS_NVLINK", Y="a${HOME}/b", Z="pa$word", W="${lower}:$PATH"),
        ["MN297n"] * 4,
    ),
    "variables that Ray leaves as they are": (submitted(X="US$5", Y="a$", Z="${oc.env:HOME}", W="~x $(5"), []),
    "variables of a submitted job that stay": (
        submitted(X="$(id)", Y="`date`", Z="~/x", W="{{ nodes }}"),
        ["MN297w"] * 4,
    ),
    "argument of a service": ({"services": {"a": {"command": ["serve", "$HOME/x"]}}}, ["MN297w"]),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


def test_the_note_says_what_ray_does_with_a_variable(findings):
    """os.path.expandvars, and then what is left of ``${NAME}`` in capitals goes: update_envs of Ray's utils.py."""
    (set_or_not,) = findings(**submitted(X="a$HOME"))
    (set_or_nothing,) = findings(**submitted(X="${A_1}b"))
    assert "Ray" in set_or_not.message and "as it is" not in set_or_not.message
    assert "stays" in set_or_not.message and "nothing" in set_or_nothing.message
    assert "env" in (set_or_not.hint or "") and "cannot" in (set_or_not.hint or "")
