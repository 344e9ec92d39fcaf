"""A job that a script writes or submits is a text to that script: its ``#SBATCH`` lines are no directives there.

What it hands to ``sbatch`` itself is read as the job that it is.
"""

from __future__ import annotations

import pytest

from mngen.checks.foreign import Form, check_foreign, read_document

BEGIN = "#!/bin/bash\n#SBATCH --nodes=1\n"
JOB = "#!/bin/bash\n#SBATCH --job-name=sweep-$lr\n#SBATCH --output=logs/%j\n#SBATCH --partion=x\nsrun train\n"
RULES = {"MN730", "MN731", "MN732", "MN733"}
NOT_SUBMITTED = {"to a file", "two on a line", "two on one line", "as a string", "as a value"}
"""Nothing tells that sbatch gets these, or not without reading the file or the variable."""
QUOTED = {"in single quotes", "in double quotes", "with a backslash", "with a word of other characters"}
"""What the shell hands on as it stands, so that sbatch is the one who sees the ``$``."""

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


def of_the_jobs(what: str, text: str) -> list[tuple[str, int]]:
    """The findings about the jobs in a script, on the lines where they stand."""
    if what in NOT_SUBMITTED:
        return []
    lines = [line.lstrip("\t") for line in text.split("\n")]
    of_each = {"--job-name=": "MN730", "--output=": "MN733", "--partion=": "MN732", "--nodes=$n": "MN731"}
    if what not in QUOTED:
        del of_each["--job-name="]
    return sorted(
        (code, number)
        for number, line in enumerate(lines, 1)
        for option, code in of_each.items()
        if line.startswith(f"#SBATCH {option}") and not line.endswith("=$t")
    )


@pytest.mark.parametrize("what", TEXTS)
def test_a_job_that_is_handed_on_has_no_directives_of_the_script(what: str) -> None:
    for begin in ("", "#!/bin/bash\n", "#!/bin/sh\n\n# a comment\n", BEGIN):
        text = begin + TEXTS[what]
        assert sorted(found(text)) == of_the_jobs(what, text)
        assert sorted(found(text, "submit.sbatch")) == of_the_jobs(what, text)


@pytest.mark.parametrize("what", [what for what in TEXTS if what != "without an end"])
def test_directives_around_it_are_still_judged(what: str) -> None:
    text = f"{BEGIN}#SBATCH --job-name=$t\n{TEXTS[what]}"
    last = text.count("\n") + 1
    around = [("MN730", 3), ("MN731", last)]
    assert sorted(found(f"{text}#SBATCH --mem=1G\n")) == sorted([*around, *of_the_jobs(what, text)])


EARLY = "sbatch --parsable <<EOF\n#!/bin/bash\n#SBATCH -N2\necho a\nsrun x {word}\nEOF\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (EARLY.format(word="$SLURM_JOB_NODELIST"), 5),
        (EARLY.format(word="'${SLURM_PROCID}'"), 5),
        (EARLY.format(word="$(scontrol show hostnames $SLURM_NODELIST)"), 5),
        ("cat <<EOF | sbatch\n#!/bin/bash\nsrun x $SLURMD_NODENAME\nEOF\n", 3),
        (EARLY.format(word="\\$SLURM_JOB_NODELIST"), None),
        (EARLY.format(word="$SLURM_ACCOUNT $1 $(date)"), None),
        (EARLY.format(word="$SLURM_JOB_ID").replace("<<EOF", "<<'EOF'"), None),
        # the job's own shell is too early for a variable of the task
        (EARLY.format(word="$SLURM_PROCID").replace("<<EOF", "<<'EOF'"), 5),
        ("#!/bin/bash\n#SBATCH -N1\n" + EARLY.format(word="--dependency=afterok:$SLURM_JOB_ID"), None),
        (EARLY.format(word="$SLURM_PROCID").replace("sbatch --parsable", "cat"), None),
        (EARLY.format(word="$SLURM_PROCID").replace("--parsable", "job.sh"), None),
    ],
)
def test_a_variable_of_the_job_is_not_expanded_where_it_is_submitted(text: str, line: int | None) -> None:
    items = [item for item in check_foreign(text, "a.sh", lint=False) if item.code == "MN724"]
    assert [item.span.line for item in items] == ([] if line is None else [line])


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
