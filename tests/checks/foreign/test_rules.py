"""Each rule for foreign files finds its defect, and leaves the right way alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import address_cases
import bare_address_cases
import build_variable_cases
import container_env_cases
import count_cases
import dashboard_cases
import directive_cases
import driver_status_cases
import dstack_cases
import early_cases
import empty_file_cases
import image_rule_cases
import join_cases
import list_cases
import lone_head_cases
import misread_cases
import misspelt_cases
import more_rule_cases
import named_program_cases
import node_list_cases
import open_files_cases
import other_form_cases
import published_cases
import pyxis_cases
import rank_cases
import rank_launcher_cases
import ray_command_cases
import ray_folder_cases
import ray_step_cases
import reading_cases
import recipe_cases
import repeated_option_cases
import request_cases
import rule_cases
import secret_output_cases
import shared_folder_cases
import status_cases
import step_cases
import traced_secret_cases
import uv_cases
import whole_node_cases
import wider_cases
from rule_beginnings import DOCKER, DSTACK, SB, SKY

from mngen.checks.foreign import check_foreign
from mngen.checks.foreign.rules import RULES
from mngen.codes import CODES

CASES = rule_cases.CASES | more_rule_cases.CASES | image_rule_cases.CASES | request_cases.CASES
CASES |= repeated_option_cases.CASES | lone_head_cases.CASES
CASES |= rank_launcher_cases.CASES | node_list_cases.CASES | traced_secret_cases.CASES
CASES |= empty_file_cases.CASES
"""By code: file name, a text with the defect, its line, the same done right."""

MORE = [
    ("MN756", "a.sh", "ray start --head\npython3 -m train\n", 2),
    ("MN759", "a.sh", "srun docker exec c ray start --head\n", 1),
    ("MN716", "a.sh", "pgrep -f raylet || pgrep ray\n", 1),
    ("MN752", "a.sh", "ip -4 addr show eth0\n", 1),
    ("MN777", "a.sh", "docker rm c 2>/dev/null || true\n", 1),
    ("MN780", "a.sh", "docker run -v $HOME:$HOME img\n", 1),
    ("MN781", "a.sh", "UNBUFFERED=1 srun docker exec c x\n", 1),
    ("MN784", "Dockerfile", DOCKER + "ARG HF_TOKEN\n", 2),
    ("MN784", "Dockerfile", DOCKER + "ENV API_KEY=x\n", 2),
    ("MN786", "a.dstack.yml", DSTACK + "  - x\nenv:\n  - CUDA_VISIBLE_DEVICES=0,1\n", 7),
    ("MN786", "a.sky.yaml", "envs:\n  HIP_VISIBLE_DEVICES: '0,1'\nrun: x\n", 2),
    ("MN790", "Dockerfile", DOCKER + "RUN git clone https://h/x && cd x\n", 2),
    ("MN771", "a.sh", "export HIP_VISIBLE_DEVICES=$x\napptainer exec --nv a.sif y\n", 2),
    ("MN775", "a.sbatch", SB + "docker build -t x .\n", 3),
    ("MN736", "a.sbatch", SB + "a=$(srun --overlap x)\nb=$(srun y)\n", 4),
    ("MN745", "a.sbatch", SB + "train trainer.nnodes=4\n", 3),
    ("MN797", "a.sky.yaml", SKY + "  x\n", 1),
    ("MN732", "a.sbatch", "#!/bin/bash\n#SBATCH --partion=x\ntrue\n", 2),
    ("MN708", "x.def", "Bootstrap: docker\nFrom:\n", 2),
    ("MN703", "x.def", "Bootstrap: docker\nFrom: x\n%post\n  pip install -no-deps x\n", 4),
    ("MN707", "x.def", "Bootstrap: docker\nFrom: x\n%environment\n  export RAY_ADDRESS=h:1\n", 4),
    ("MN782", "a.sh", "bash <<'X'\nprintenv\nX\n", 2),
]


def codes(text: str, file: str) -> list[tuple[str, int]]:
    return [(found.code, found.span.line) for found in check_foreign(text, file, lint=False)]


@pytest.mark.parametrize("code", CASES)
def test_rule_finds_its_defect(code: str) -> None:
    file, bad, line, _ = CASES[code]
    assert (code, line) in codes(bad, file)


@pytest.mark.parametrize("code", CASES)
def test_rule_leaves_the_right_way_alone(code: str) -> None:
    file, _, _, good = CASES[code]
    assert code not in {found for found, _ in codes(good, file)}


def test_every_rule_has_a_case_and_an_explanation() -> None:
    known = [rule.code for rule in RULES]
    assert sorted(known) == known
    assert len(set(known)) == len(known)
    assert set(CASES) == set(known)
    assert set(known) <= set(CODES)


@pytest.mark.parametrize("code", CASES)
def test_messages_say_what_and_how(code: str) -> None:
    file, bad, _, _ = CASES[code]
    for found in check_foreign(bad, file, lint=False):
        assert found.message
        assert found.hint
        assert not found.message.endswith(".")


@pytest.mark.parametrize(
    ("code", "file", "text", "line"),
    [
        *(*MORE, *rule_cases.MORE, *more_rule_cases.MORE, *other_form_cases.MORE, *image_rule_cases.MORE),
        *(
            *misread_cases.WRONG,
            *status_cases.WRONG,
            *build_variable_cases.WRONG,
            *step_cases.WRONG,
            *early_cases.WRONG,
            *reading_cases.WRONG,
            *address_cases.WRONG,
            *request_cases.WRONG,
            *directive_cases.WRONG,
            *wider_cases.WRONG,
            *container_env_cases.WRONG,
            *recipe_cases.WRONG,
            *shared_folder_cases.WRONG,
            *dstack_cases.WRONG,
            *rank_cases.WRONG,
            *open_files_cases.WRONG,
            *ray_step_cases.WRONG,
            *misspelt_cases.WRONG,
            *ray_folder_cases.WRONG,
            *ray_command_cases.WRONG,
            *published_cases.WRONG,
            *whole_node_cases.WRONG,
            *dashboard_cases.WRONG,
            *join_cases.WRONG,
            *named_program_cases.WRONG,
            *repeated_option_cases.WRONG,
            *secret_output_cases.WRONG,
            *uv_cases.WRONG,
            *driver_status_cases.WRONG,
            *lone_head_cases.WRONG,
            *empty_file_cases.WRONG,
            *bare_address_cases.WRONG,
            *traced_secret_cases.WRONG,
            *pyxis_cases.WRONG,
            *node_list_cases.WRONG,
            *rank_launcher_cases.WRONG,
        ),
    ],
)
def test_rule_knows_the_other_form(code: str, file: str, text: str, line: int) -> None:
    assert (code, line) in codes(text, file)


# a text: (its code, the severities with which it is found)
WEIGHTS = {
    "FROM python:3.12-slim\nHEALTHCHECK CMD curl -f http://h/\n": ("MN915", ["note", "warning"]),
    "FROM python:3.12-slim\nRUN apt-get install -y curl\nHEALTHCHECK CMD curl -f http://h/\n": ("MN915", ["note"]),
    "FROM vendor/image:v1\nHEALTHCHECK CMD curl -f http://h/\n": ("MN915", ["note"]),
    "#!/bin/bash\n#SBATCH --license=x --partit y -N2\ntrue\n": ("MN732", ["note", "note"]),
    "#!/bin/bash\n#SBATCH --excl --licence=x\ntrue\n": ("MN732", ["warning", "warning"]),
    "#!/bin/bash\n#SBATCH -N2\n # SBATCH --mem=1G\n": ("MN731", ["warning"]),
    "#!/bin/bash\ndocker run a/b x\n": ("MN916", ["warning"]),
    "#!/bin/bash\ndocker run a/b:latest x\n": ("MN916", ["warning"]),
    "#!/bin/bash\ndocker run a/b:v1.2 x\ndocker run a/b:v1.2 y\n": ("MN916", ["note"]),
}


@pytest.mark.parametrize("text", WEIGHTS)
def test_some_cases_weigh_more(text: str) -> None:
    code, severities = WEIGHTS[text]
    found = check_foreign(text, "Dockerfile" if text.startswith("FROM") else "a.sh", lint=False)
    assert sorted(item.severity.value for item in found if item.code == code) == severities


SEVERITY = misread_cases.SEVERITY | build_variable_cases.SEVERITY | step_cases.SEVERITY | request_cases.SEVERITY
SEVERITY |= directive_cases.SEVERITY | misspelt_cases.SEVERITY | dashboard_cases.SEVERITY
SEVERITY |= (
    status_cases.SEVERITY
    | list_cases.SEVERITY
    | count_cases.SEVERITY
    | secret_output_cases.SEVERITY
    | ray_step_cases.SEVERITY
)
SEVERITY |= driver_status_cases.SEVERITY
SEVERITY |= pyxis_cases.SEVERITY | directive_cases.SEVERITY | misspelt_cases.SEVERITY | dashboard_cases.SEVERITY


@pytest.mark.parametrize(("code", "file", "text"), SEVERITY)
def test_where_a_defect_stands_weighs(code: str, file: str, text: str) -> None:
    found = [item.severity.value for item in check_foreign(text, file, lint=False) if item.code == code]
    assert found == [SEVERITY[code, file, text]]


def test_a_misspelt_directive_is_spelt_in_the_hint() -> None:
    (found,) = (
        item
        for item in check_foreign("#!/bin/bash\n#SBATCH -N2\n#SBTACH --mem=1G\n", "a.sbatch", lint=False)
        if item.code == "MN731"
    )
    assert "`#SBTACH`" in found.message
    assert "`#SBATCH --mem=1G`" in (found.hint or "")
    assert found.span is not None
    assert (found.span.column, found.span.end_column) == (1, 8)


@pytest.mark.parametrize(("ports", "published"), [("8265", True), ("[80, 8000-9000]", True), ("18265", False)])
def test_an_open_dashboard_is_worse_where_its_port_is_published(ports: str, published: bool) -> None:
    text = published_cases.SKY.format(ports, published_cases.DASHBOARD)
    (found,) = (item for item in check_foreign(text, "a.sky.yaml", lint=False) if item.code == "MN761")
    assert ("the port is published" in found.message) is published


@pytest.mark.parametrize("wait", ["until ray status; do sleep 5; done\n", ""])
def test_a_wait_for_the_head_is_told_from_none(wait: str) -> None:
    text = f"{join_cases.STARTS}{wait}python3 train.py\n"
    (found,) = (item for item in check_foreign(text, "a.sh", lint=False) if item.code == "MN757")
    assert ("only tells that the head answers" in found.message) is bool(wait)


@pytest.mark.parametrize("file", lone_head_cases.WORDS)
def test_a_lone_head_is_told_from_many(file: str) -> None:
    text, words = lone_head_cases.WORDS[file]
    assert [words in item.message for item in check_foreign(text, file, lint=False) if item.code == "MN923"] == [True]


def test_a_path_that_grows_is_reported_where_it_grows() -> None:
    text = DOCKER + "ENV PATH=/opt/x:$PATH\nENV PATH=/root/bin:$PATH\nENV PATH=/opt/y:$PATH\n"
    assert [line for code, line in codes(text, "Dockerfile") if code == "MN914"] == [3]


@pytest.mark.parametrize(
    ("code", "file", "text"),
    [
        *(*rule_cases.RIGHT, *more_rule_cases.RIGHT, *other_form_cases.RIGHT, *image_rule_cases.RIGHT),
        *(
            *misread_cases.RIGHT,
            *status_cases.RIGHT,
            *build_variable_cases.RIGHT,
            *step_cases.RIGHT,
            *early_cases.RIGHT,
            *reading_cases.RIGHT,
            *address_cases.RIGHT,
            *request_cases.RIGHT,
            *directive_cases.RIGHT,
            *wider_cases.RIGHT,
            *container_env_cases.RIGHT,
            *recipe_cases.RIGHT,
            *shared_folder_cases.RIGHT,
            *dstack_cases.RIGHT,
            *rank_cases.RIGHT,
            *open_files_cases.RIGHT,
            *ray_step_cases.RIGHT,
            *misspelt_cases.RIGHT,
            *ray_folder_cases.RIGHT,
            *ray_command_cases.RIGHT,
            *published_cases.RIGHT,
            *whole_node_cases.RIGHT,
            *dashboard_cases.RIGHT,
            *join_cases.RIGHT,
            *named_program_cases.RIGHT,
            *repeated_option_cases.RIGHT,
            *secret_output_cases.RIGHT,
            *uv_cases.RIGHT,
            *count_cases.RIGHT,
            *driver_status_cases.RIGHT,
            *lone_head_cases.RIGHT,
            *empty_file_cases.RIGHT,
            *bare_address_cases.RIGHT,
            *traced_secret_cases.RIGHT,
            *pyxis_cases.RIGHT,
            *node_list_cases.RIGHT,
            *rank_launcher_cases.RIGHT,
        ),
    ],
)
def test_rule_is_not_misled(code: str, file: str, text: str) -> None:
    assert code not in {found for found, _ in codes(text, file)}
