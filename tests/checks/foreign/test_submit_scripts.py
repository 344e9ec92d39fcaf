"""A job that a script writes or submits is a text to that script: its ``#SBATCH`` lines are no directives there."""

from __future__ import annotations

import pytest

from mngen.checks.foreign import Form, check_foreign, read_document

BEGIN = "#!/bin/bash\n#SBATCH --nodes=1\n"
JOB = "#!/bin/bash\n#SBATCH --job-name=sweep-$lr\n#SBATCH --output=logs/%j\n#SBATCH --partion=x\nsrun train\n"
RULES = {"MN730", "MN731", "MN732", "MN733"}

# what is handed on: a script that holds JOB
TEXTS = {
    "to sbatch, in a loop": f"for lr in 1 2; do\n  sbatch <<EOF\n{JOB}EOF\ndone\n",
    "to a file": f"cat > job.sbatch <<EOF\n{JOB}EOF\nsbatch job.sbatch\n",
    "in single quotes": f"sbatch <<'EOF'\n{JOB}EOF\n",
    "in double quotes": f'sbatch <<"EOF"\n{JOB}EOF\n',
    "with a backslash": f"sbatch <<\\EOF\n{JOB}EOF\n",
    "with tabs": f"if x; then\n\tsbatch <<-EOF\n{JOB}\tEOF\nfi\n",
    "with a word of other characters": f"sbatch << 'END-OF.JOB'\n{JOB}END-OF.JOB\n",
    "with the end word in another line": f"sbatch <<EOF\n{JOB}echo EOF\n EOF\n#SBATCH --nodes=$n\nEOF\n",
    "two on a line": f"join <(cat <<A) - <<B\n{JOB}A\n{JOB}B\n",
    "two on one line": f"cat <<A - <<'B'\n{JOB}A\n{JOB}B\n",
    "one after the other": f"sbatch <<A\n{JOB}A\ntrue\nsbatch <<A\n{JOB}A\n",
    "through a pipe": f"cat <<EOF | sbatch --parsable\n{JOB}EOF\n",
    "on a continued line": f"sbatch --parsable \\\n  --time=1 <<EOF \\\n  && true\n{JOB}EOF\n",
    "in a substitution": f'id=$(sbatch --parsable <<EOF\n{JOB}EOF\n)\nother="$(sbatch <<EOF\n{JOB}EOF\n)"\n',
    "in backticks": f"id=`sbatch --parsable <<EOF\n{JOB}EOF\n`\n",
    "in a function": f"submit() {{\n  sbatch <<EOF\n{JOB}EOF\n}}\nsubmit\n",
    "without an end": f"sbatch <<EOF\n{JOB}",
    "after a count with a continued line": f"n=$(( 1 + \\\n  2 ))\nm=${{x:-\\\n}}\nsbatch <<EOF\n{JOB}EOF\n",
    "as a string": f"echo \"{JOB}\" > job.sbatch\nprintf '{JOB}' > other\n",
    "as a value": f"job='{JOB}'\nsbatch <<<\"$job\"\n",
}


def found(text: str, file: str = "a.sh") -> list[tuple[str, int]]:
    return [(item.code, item.span.line) for item in check_foreign(text, file, lint=False) if item.code in RULES]


@pytest.mark.parametrize("what", TEXTS)
def test_a_job_that_is_handed_on_has_no_directives_of_the_script(what: str) -> None:
    for begin in ("", "#!/bin/bash\n", "#!/bin/sh\n\n# a comment\n", BEGIN):
        assert found(begin + TEXTS[what]) == []
        assert found(begin + TEXTS[what], "submit.sbatch") == []


@pytest.mark.parametrize("what", [what for what in TEXTS if what != "without an end"])
def test_directives_around_it_are_still_judged(what: str) -> None:
    text = f"{BEGIN}#SBATCH --job-name=$t\n{TEXTS[what]}"
    last = text.count("\n") + 1
    assert found(f"{text}#SBATCH --mem=1G\n") == [("MN730", 3), ("MN731", last)]


@pytest.mark.parametrize("what", TEXTS)
def test_a_script_that_only_submits_is_no_job(what: str) -> None:
    assert read_document("#!/bin/bash\n" + TEXTS[what], "a.sh").form is Form.BASH
    assert read_document("#!/bin/bash\n" + TEXTS[what], "-").form is Form.BASH
    assert read_document(BEGIN + TEXTS[what], "a.sh").form is Form.SBATCH


@pytest.mark.parametrize("late", ["true\n#SBATCH --mem=1G\n", "if x; then\n#SBATCH --mem=1G\n  y\nfi\n"])
def test_a_directive_below_a_command_is_late(late: str) -> None:
    assert found(BEGIN + late) == [("MN731", 4)]
    assert found("#!/bin/bash\n" + late) == [("MN731", 3)]


def test_of_another_language_the_lines_above_its_first_command_count() -> None:
    begin = "#!/usr/bin/env python3\n#SBATCH --job-name=$t\n\n# words\n"
    assert found(f'{begin}JOB = f"""\n{JOB}"""\n', "job.sbatch") == [("MN730", 2)]
    assert read_document(f'#!/usr/bin/env python3\nJOB = f"""\n{JOB}"""\n', "submit").form is Form.OTHER
    assert found(f"#!/bin/tcsh\n#SBATCH --job-name=$t\nsbatch <<EOF\n{JOB}EOF\n", "job.sbatch") == [("MN730", 2)]
