"""A script that a script writes by a here-document and then runs is read as one of its own."""

from __future__ import annotations

import pytest

from mngen.checks.foreign import check_foreign

BODY = "#!/bin/bash\nset -e\nray stop\n"

# a script that holds BODY: the line of its `ray stop`
RUN = {
    f"cat > run.sh <<'E'\n{BODY}E\nsrun bash run.sh\n": 4,
    f"cat <<E >run.sh\n{BODY}E\nchmod +x run.sh\nsrun --overlap ./run.sh\n": 4,
    f"cat > ./run.sh <<-E\n{BODY}E\nbash -x ./run.sh $a\n": 4,
    f'cat >"$d/run.sh" << "E"\n{BODY}E\n"$d/run.sh"\n': 4,
    f"cat \\\n  > run.sh \\\n  <<E\n{BODY}E\nsh run.sh\n": 6,
    f"tee run.sh <<E > /dev/null\n{BODY}E\nnohup bash run.sh &\n": 4,
    f'cat > "$s" <<E && chmod +x "$s"\n{BODY}E\ndocker run -v $PWD:/w x bash "$s"\n': 4,
    f"mkdir x\nif y; then\n  cat > x/run.sh <<E\n{BODY}E\nfi\nsource $PWD/x/run.sh\n": 6,
    f"f() {{ bash run.sh; }}\ncat > run.sh <<E\n{BODY}E\nf\n": 5,
    f"cat > a <<A; cat > run.sh <<B\na\nA\n{BODY}B\nbash run.sh\n": 6,
    f"srun bash -s -- x \\\n  y <<E\n{BODY}E\n": 5,
}


# the same in a variable, or fed to a shell through a pipe
RUN |= {
    f"cmd=$(cat <<'E'\n{BODY}E\n)\nsrun bash -x -c \"$cmd\" &\n": 4,
    f'cmd=$(cat <<E\n{BODY}E\n)\nbash -c "${{cmd}}"\n': 4,
    f'f() {{\n  local cmd=$(cat <<E\n{BODY}E\n)\n  ssh $h "$cmd"\n}}\n': 5,
    f'cmd="{BODY}"\nsrun bash -c "$cmd"\n': 3,
    f"cmd='\n{BODY}'\nsrun bash -euo pipefail -c \"$cmd\"\n": 4,
    f"cat <<E | bash\n{BODY}E\n": 4,
    f"if cat <<'E' | srun bash -s -- x; then\n{BODY}E\n  true\nfi\n": 4,
    f'cmd=$(cat <<E\ncat <<F | bash\n{BODY}F\nE\n)\nbash -c "$cmd"\n': 5,
}


@pytest.mark.parametrize("text", RUN)
def test_its_commands_are_judged_on_their_lines(text: str) -> None:
    found = [(item.code, item.span.line) for item in check_foreign(text, "a.sh", lint=False) if item.span]
    assert ("MN762", RUN[text]) in found


@pytest.mark.parametrize(
    "text",
    [
        f"cat > run.sh <<'E'\n{BODY}E\n",
        f"cat > run.sh <<'E'\n{BODY}E\nbash other.sh\ncat run.sh\nscp run.sh h:\n",
        f"cat > run.sh <<'E'\n{BODY}E\nsbatch run.sh\n",
        "cat > run.py <<'E'\n#!/usr/bin/env python3\nray stop\nE\n./run.py\n",
        "cat > note <<'E'\nray stop\nE\npython3 note\n",
        f"cat >> run.sh <<'E'\n{BODY}E\nbash run.sh\n",
        "cat > $f <<'E'\nray stop\nE\nbash -c 'cat $f'\n",
        f"cmd=$(cat <<'E'\n{BODY}E\n)\necho \"$cmd\"\n",
        f"cmd=$(cat <<'E'\n{BODY}E\n)\ncmd=other\nbash -c \"$cmd\"\n",
        f"cat <<'E' | grep x\n{BODY}E\nbash run.sh\n",
        f"cat <<'E' | bash run.sh\n{BODY}E\n",
        "grep x > run.sh <<'E'\nray stop\nE\nbash run.sh\n",
    ],
)
def test_what_is_not_run_here_is_text(text: str) -> None:
    assert "MN762" not in [item.code for item in check_foreign(text, "a.sh", lint=False)]


@pytest.mark.parametrize(("run", "inside"), [("docker run x bash r.sh", True), ("srun bash r.sh", False)])
def test_what_runs_it_counts(run: str, *, inside: bool) -> None:
    text = f"cat > r.sh <<'E'\ntrain trainer.logger=wandb\nE\n{run}\n"
    assert ("MN781" in [item.code for item in check_foreign(text, "a.sh", lint=False)]) is inside


def test_a_script_that_runs_itself_ends() -> None:
    check_foreign("cat > r.sh <<'E'\nbash r.sh\ncat > r.sh <<'F'\nbash r.sh\nF\nE\nbash r.sh\n", "a.sh", lint=False)
