"""Any text is linted without a traceback, and in reasonable time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mngen.checks.foreign import check_foreign
from mngen.checks.foreign.commands import flatten, parse

NAMES = ["a.sh", "a.sbatch", "a.yaml", "a.dstack.yml", "a.sky.yaml", "Dockerfile", "x.def", "noname"]
PIECES = st.sampled_from(
    [
        *(
            "'",
            '"',
            "`",
            "$(",
            "${",
            "$((",
            "((",
            ")",
            "}",
            "]]",
            "[[",
            "<<X",
            "\nX\n",
            "\n",
            "\\\n",
            "\\",
            "|",
            "&",
            ";",
            "#",
        ),
        *(
            "case x in",
            "esac",
            "if",
            "fi",
            "do",
            "done",
            "for i in",
            "while",
            "x=(",
            "srun ",
            "bash -c ",
            "ray start --head ",
        ),
        *(
            "docker run -d ",
            "#SBATCH --mem=1G\n",
            "- |\n",
            "commands:\n",
            "run: |\n",
            "FROM x\nRUN ",
            "%post\n",
            "$x",
            "a",
            " ",
            "é",
            "\t",
        ),
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join), st.sampled_from(NAMES))
def test_no_text_breaks_the_lint(text: str, name: str) -> None:
    for found in check_foreign(text, name, lint=False):
        assert 1 <= found.span.line <= text.count("\n") + 2


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80), st.sampled_from(NAMES))
def test_no_characters_break_the_lint(text: str, name: str) -> None:
    check_foreign(text, name, lint=False)


@pytest.mark.parametrize("end", ["\r", "\x85", "\u2028", "\u2029", "\r\n", "\n\r"])
@pytest.mark.parametrize(
    "value", ["0{}0", "'a{}b'", '"a{0}{0}b"', "|{}  a{}  b", ">{}  a{}  b", "- a{}- b{}", "a: 1{}run: b{}  c"]
)
def test_what_yaml_takes_for_the_end_of_a_line(end: str, value: str) -> None:
    text = value.replace("{}", end).replace("{0}", end)
    check_foreign(text, "a.yaml", lint=False)
    check_foreign(f"run: {text}\nnum_nodes: 2\n", "a.sky.yaml", lint=False)


@pytest.mark.parametrize(
    "piece", ["$(", "`", '"$(', "((", "(", "${x:-", "case x in a) ", "if ", "bash -c '", "x=(", "[[ ", "<<X "]
)
def test_deep_nesting_is_survived(piece: str) -> None:
    check_foreign(piece * 3000, "a.sh", lint=False)


@pytest.mark.parametrize("text", ["A=$B\nB=$A\n", "A='$B $B'\nB='$A $A'\n", "A='--a $A'\nB=$A\n"])
@pytest.mark.parametrize("start", ["srun", "ray start", "docker run", "", "eval", "uv run"])
def test_variables_that_lead_back_to_themselves(text: str, start: str) -> None:
    check_foreign(f"{text}{start} $A x\n{start} $B x\n", "a.sh", lint=False)


@pytest.mark.parametrize(
    "text", ["a: [" * 500, "- " * 2000 + "x", "a: &a [*a]\n", "{{{{", "a: !!binary x\n", "? [a]\n: b\n", "[]", "3", ""]
)
def test_yaml_of_any_shape(text: str) -> None:
    check_foreign(text, "a.yaml", lint=False)


def test_commands_in_their_surroundings() -> None:
    text = "for i in a; do\n  if x | y; then z & fi\ndone\nf() { g; }\nh <<E\nbody\nE\nk\n"
    commands = parse(text)
    by_name = {command.name: command for command in commands}
    assert (by_name["x"].loops, by_name["x"].role, by_name["x"].after) == (("for",), "if", "|")
    assert (by_name["z"].after, by_name["z"].branches) == ("&", 1)
    assert by_name["g"].function
    assert by_name["h"].redirects[0].body == "body"
    assert by_name["k"].line == 8
    assert by_name["k"].loops == ()


def test_commands_of_a_process_substitution() -> None:
    commands = list(flatten(parse('mapfile -t n < <(scontrol show hostnames "$l")\nx > >(tee -a log) 2>&1\n')))
    assert [(command.name, command.args) for command in commands] == [
        ("scontrol", ("show", "hostnames", "$l")),
        ("mapfile", ("-t", "n")),
        ("tee", ("-a", "log")),
        ("x", ()),
    ]


@pytest.mark.parametrize("piece", ["RUN git clone ", "# apply ", "ENV A=1 ", "a ", "sed -i ", "https://"])
def test_long_lines_of_image_files_take_no_long_time(piece: str) -> None:
    """What each takes grows with the length of the line, not with its square."""

    def seconds(times: int) -> float:
        began = time.process_time()
        check_foreign("FROM ubuntu\nRUN x " + piece * times, "Dockerfile", lint=False)
        check_foreign("FROM ubuntu\n" + piece * times, "Dockerfile", lint=False)
        return time.process_time() - began

    assert seconds(8000) < 80 * max(seconds(500), 0.02)


@pytest.mark.parametrize("commands", ["", " []", " ''", "\n  - ''", "\n  -", "\n  - []", "\n  a: b"])
def test_commands_may_be_missing(commands: str) -> None:
    assert isinstance(check_foreign(f"type: task\ncommands:{commands}\n", "a.dstack.yml", lint=False), list)


@pytest.mark.parametrize(
    "number", ["\u00b2", "\u0663", "9" * 5000, "-1", "1e3", "0x1", "07", " 1 ", "1_0", "", "\u2460"]
)
@pytest.mark.parametrize(
    "text",
    [
        "#!/bin/bash\n#SBATCH --nodes=2\npython x | tee log\nexit ${{PIPESTATUS[{}]}}\n",
        "#!/bin/bash\n#SBATCH --nodes={0}\n#SBATCH --gpus-per-node={0}\n#SBATCH --ntasks-per-node={0}\nsrun -N {0} x\n",
        "#!/bin/bash\nray start --head --port {0} --num-gpus={0}\nsleep {0}\nulimit -n {0}\n: 2>&{0}\ntorchrun --nnodes={0} x\n",
        "num_nodes: {0}\nresources: {{accelerators: 'H100:{0}', ports: {0}}}\nrun: ray start --head --port {0}\n",
        "type: task\nnodes: {0}\nports: [{0}]\nresources: {{gpu: {0}}}\ncommands: [ray start --head]\n",
        "FROM x:{0}\nEXPOSE {0}\nUSER {0}\nRUN ulimit -n {0} && python -m http.server {0}\n",
    ],
)
def test_what_looks_like_a_number_breaks_nothing(text: str, number: str) -> None:
    for name in NAMES:
        check_foreign(text.format(number), name, lint=False)
