"""``mngen lint`` of templates: they are no scripts before they are rendered, and one line says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mngen.checks.foreign import Form, read_document

HEAD = "#!/bin/bash\n#SBATCH --nodes=2\n"
CLEAN = "#!/bin/bash\nset -euo pipefail\necho hello\n"
SAID = "not checked: a template for Jinja; render it first, and check what comes out"
TEMPLATES = (
    *("{% if x %}\n#SBATCH --mem=1G\n{% endif %}\nsrun x\n", "#SBATCH --mem={{ memory }}\nsrun x\n", "{{ steps }}\n"),
    *("{%- for n in nodes -%}\nsrun x\n{%- endfor %}\n", "srun train --nodes {{ n }}\n", "srun --nodes={{ n }} x\n"),
    *("{# what for #}\nsrun x\n", "cd /data/{{user}}/x\nsrun x\n", "#SBATCH --job-name={{name}}\nsrun x\n"),
    *("if x; then\n  {% include 'a.sh' %}\nfi\n", "  {% set a = 1 %}\nsrun x\n", "srun {{ words | join(' ') }}\n"),
)
SCRIPTS = (
    *("docker ps --format '{{.ID}}'\n", 'docker inspect -f "{{ .State.Status }}" c\n', "docker ps --format {{.ID}}\n"),
    *("cat > a.j2 <<'E'\n{% if x %}\n{{ y }}\n{% endif %}\nE\n", "vllm serve m --chat-template '{% for m in x %}'\n"),
    *("T='\n{% if x %}\n{{ y }}\n{% endif %}\n'\n", "echo {{a,b},{c,d}}\n", "# {{ name }} and {% if %}\ntrue\n"),
    *("python3 - <<'E'\nprint(f'{{x}}')\nE\n", 'x="${y:-{{z}}}"\n', "awk '{{print $1}}' f\n", "{ { true; }; }\n"),
)


@pytest.mark.parametrize("text", TEMPLATES)
@pytest.mark.parametrize("name", ["a.sbatch", "a.sh", "a.slurm.j2", "a.sh.jinja", "a"])
def test_a_template_is_said_to_be_one(mngen, name: str, text: str) -> None:
    Path(name).write_text(HEAD + text)
    for options in ((), ("--kind", "sbatch"), ("--kind", "bash")):
        alone = mngen("lint", name, *options)
        assert alone.err.startswith(f"{name}: {SAID}\nerror: nothing was checked")
        assert "\nhint: render the template" in alone.err
        assert (alone.status, alone.out) == (2, "")


@pytest.mark.parametrize("text", SCRIPTS)
@pytest.mark.parametrize("name", ["a.sbatch", "a.sh", "a"])
def test_a_script_with_braces_is_checked(mngen, name: str, text: str) -> None:
    Path(name).write_text(HEAD + text)
    assert SAID not in mngen("lint", "--no-lint", name).err


@pytest.mark.parametrize(
    ("name", "kind"), [("Dockerfile.j2", "dockerfile"), ("a.yaml.j2", "skypilot"), ("a.dstack.yml.jinja2", "dstack")]
)
def test_the_name_tells_of_other_kinds(mngen, name: str, kind: str) -> None:
    Path(name).write_text("FROM {{ base }}\nRUN x\n" if kind == "dockerfile" else "name: {{ name }}\nrun: x\n")
    for options in ((), ("--kind", kind)):
        assert mngen("lint", name, *options).err.startswith(f"{name}: {SAID}\n")


def test_beside_others_it_is_listed(mngen) -> None:
    Path("d").mkdir()
    Path("d/a.sbatch").write_text(HEAD + TEMPLATES[0])
    Path("d/b.sh").write_text(CLEAN)
    Path("d/c.sh.j2").write_text(HEAD + TEMPLATES[0])
    for given in (("d",), ("d/a.sbatch", "d/b.sh")):
        result = mngen("lint", *given, "--format", "json")
        assert f"d/a.sbatch: {SAID}\n" in result.err
        assert (result.status, json.loads(result.out)["diagnostics"]) == (0, [])
        assert json.loads(result.out)["unchecked"] == ["d/a.sbatch"]


@pytest.mark.parametrize("name", ["a.j2", "a.log", "a.sh.tmpl", "a.cfg"])
def test_a_script_under_another_name_is_known_by_kind_alone(mngen, name: str) -> None:
    Path(name).write_text(HEAD + "srun -overlap x\n")
    alone = mngen("lint", "--no-lint", name)
    assert alone.err.startswith(f"{name}: not checked: a script for bash under the name of something else; if it is")
    assert alone.status == 2
    assert "[MN703]" in mngen("lint", "--no-lint", name, "--kind", "sbatch").err


def test_a_definition_file_has_braces_of_its_own() -> None:
    text = "Bootstrap: docker\nFrom: ubuntu:24.04\n%arguments\n  V=1\n%post\n  x {{ V }}\n"
    assert read_document(text, "x.def").form is Form.APPTAINER
