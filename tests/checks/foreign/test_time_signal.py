"""The signal ahead of the time limit (MN917): who gets it, and whether anybody hears it."""

from __future__ import annotations

import pytest

from mngen.checks.foreign import check_foreign

# a script without its first line: on which line something is said, by what words
WRONG = {
    "#SBATCH --signal=B:USR1@120\nsrun x\n": (2, "no trap"),
    "#SBATCH --signal B:sigusr1@120\nsrun x\n": (2, "no trap"),
    "#SBATCH --signal=RB:12\ntrap 'save' USR1\nsrun x &\nwait\n": (2, "USR2 goes to this shell"),
    "#SBATCH --signal=B:TERM@90\ntrap - TERM\nsrun x &\nwait\n": (2, "90 seconds"),
    "#SBATCH --signal=B:USR1\nsource ~/venv/bin/activate\nmodule load cuda\nexec 2>&1\nsrun x\n": (2, "no trap"),
    "#SBATCH --signal=B:USR1\nsource /opt/conda/etc/profile.d/conda.sh\nsrun bash -c 'exec x'\n": (2, "no trap"),
    "#SBATCH --signal=B:USR1\nsrun bash -c 'trap save USR1; x'\n": (2, "no trap"),
    "#SBATCH --signal=USR1@120\ntrap save USR1\nsrun x &\nwait\n": (2, "without B:"),
    "#SBATCH --signal=B:USR1@120\ntrap save USR1\nsrun x 2>&1\n": (4, "`srun`"),
    "#SBATCH --signal=B:USR1@120\ntrap save USR1\nsrun ray start --block &\nsrun python3 x.py\n": (5, "`python3`"),
    "#SBATCH --signal=B:USR1\ntrap save USR1\nserve &\nsleep 9\nsrun a |\n  tee b\nwait\n": (6, "`srun`"),
    "#SBATCH --signal=B:USR1\ntrap 'kill $s; wait' USR1\nserve & s=$!\n# &\nsrun a\n": (6, "`srun`"),
    "#SBATCH --signal=B:10\ntrap save SIGUSR1 TERM\n# & wait\npython3 train.py\n": (5, "`python3`"),
}
RIGHT = [
    *(
        f"#SBATCH --signal=B:USR1@120\n{trap}\nsrun x &\nwait\n"
        for trap in (
            "trap save USR1",
            "trap 'save; exit' TERM SIGUSR1",
            "trap -- save 10",
            "trap save usr1",
            "trap '' USR1",
            "f() { trap save USR1; }\nf",
            'for s in USR1 TERM; do trap "save $s" $s; done',
            'trap save "${signals[@]}"',
            ". ./common.sh",
            "source $HERE/lib.sh",
            'eval "$(setup)"',
            "exec ./job.sh",
            "trap 'scontrol requeue 1' EXIT",
        )
    ),
    "#SBATCH --signal=B:CONT\nsrun x\n",
    "#SBATCH --signal=B:KILL@60\nsrun x\n",
    "#SBATCH --signal=USR1@120\nsrun x\n",
    "#SBATCH --signal=USR1@120\ntrap save USR1\nkill -USR1 $$\nsrun x\n",
    '#SBATCH --signal=USR1@120\ntrap save USR1\nsrun bash "$0" &\nwait\n',
    "#SBATCH --signal=B:USR1\ntrap save USR1\n{\n  srun x\n} &\nwait\n",
    "#SBATCH --signal=B:USR1\ntrap '' USR1\nsrun x\n",
    *(
        f"#SBATCH --signal=B:USR1\ntrap save USR1\nsrun ray start --block &\n{rest}\n"
        for rest in (
            "srun python3 x.py & step=$!\nwait $step\npython3 report.py",
            "srun python3 x.py & step=$!\nwhile kill -0 $step; do sleep 5; done\npython3 report.py",
            "srun python3 x.py 2>&1 |\n  tee log &\nwait",
            "(\n  srun python3 x.py\n) &\nwait",
            "main() {\n  srun python3 x.py\n}\nmain &\nwait",
            "coproc {\n  srun python3 x.py\n}\nwait",
            "srun python3 x.py \\\n  --more &\nwait",
        )
    ),
]


def found(text: str) -> list[tuple[int, str]]:
    script = f"#!/bin/bash\n{text}"
    return [(f.span.line, f.message) for f in check_foreign(script, "a.sbatch", lint=False) if f.code == "MN917"]


@pytest.mark.parametrize("text", WRONG)
def test_a_signal_that_is_not_heard(text):
    line, words = WRONG[text]
    ((where, message),) = found(text)
    assert where == line
    assert words in message


def test_a_signal_that_is_heard():
    assert [(text, found(text)) for text in RIGHT if found(text)] == []


@pytest.mark.parametrize(("end", "said"), [("", [12]), (" &\nwait", [])])
def test_a_job_inside_a_script_is_read_on_its_own_lines(end: str, said: list[int]) -> None:
    job = f"#!/bin/bash\n#SBATCH --signal=B:USR1@120\ntrap save USR1\nserve &\nsrun x{end}\n"
    text = f"#!/bin/bash\n{5 * chr(10)}sbatch <<'JOB'\n{job}JOB\n"
    found = [f.span.line for f in check_foreign(text, "a.sh", lint=False) if f.code == "MN917"]
    assert found == said


def test_another_language_is_not_read():
    text = "#!/usr/bin/env python3\n#SBATCH --signal=B:USR1@120\nimport signal\n"
    assert "MN917" not in {f.code for f in check_foreign(text, "a.sbatch", lint=False)}
