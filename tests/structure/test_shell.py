"""What is in the shell modules is used, and a rendered file holds nothing that it does not use."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from golden_shell import COMMENT, DEFINITION, read, scripts
from repository import GOLDEN, ROOT, rendered

from mngen.plan import Language
from mngen.render.environment import environment

MODULES = sorted((ROOT / "templates/shell").glob("*.sh"))
ASKING = [
    path
    for path in sorted((ROOT / "templates/shell").glob("*.sh.j2"))
    if set(re.findall(r"\bs\.(\w+)", path.read_text())) == {"on_slurm"}
]
"""Modules that are one thing on Slurm and another elsewhere, and have no other hole."""
PROGRAMS = sorted((ROOT / "templates").rglob("*.py"))
VERBATIM = [path for path in (*MODULES, *PROGRAMS) if path.name != "__init__.py"]
EARLY_END = re.compile(r"(?<!\|)\|\s*(?:head|read|sed\s[^|\n]*q|awk\s[^|\n]*exit|grep\s+-\w*[qm])\b.*")
READ = re.compile(r"\$\{?[#!]?([A-Z][A-Z0-9_]+)\b(?![@*])(?!:?[-+?=])")
SET = re.compile(r"(?:^|[\s;({'\"!&|])([A-Z][A-Z0-9_]+)(?:\[[^]]*\])?\+?=(?!=)")
TAKEN = re.compile(r"\b(?:read|mapfile|printf -v|for|local|declare|readonly)\b([^;\n<]*)")
CHECKED = re.compile(r"\$\{([A-Z][A-Z0-9_]+):[-?]")
FROM_OUTSIDE = re.compile(r"BASH_\w+|SLURMD?_\w+|DSTACK_\w+|SKYPILOT_\w+|HOME|PWD")
SWITCH = re.compile(r"(?m)^\{% (?:if (?:not )?s\.on_slurm|else|endif) %\}\n")
SHFMT = shutil.which("shfmt", path=sysconfig.get_path("scripts")) or "shfmt"
HOLES = re.compile(r"(?<!\$)\{\{|\{%|%\}|\{##|##\}")


def written(path: Path, *, slurm: bool) -> str:
    """A module as a file of Slurm's has it, or one of another kind."""
    if path.suffix != ".j2":
        return path.read_text()
    template = environment(Language.BASH).get_template(f"shell/{path.name}")
    return template.render(s=SimpleNamespace(on_slurm=slurm))


@pytest.mark.parametrize("path", [*VERBATIM, *ASKING], ids=lambda path: path.name)
def test_a_module_has_no_holes(path: Path) -> None:
    text = path.read_text()
    assert HOLES.search(SWITCH.sub("", text) if path in ASKING else text) is None


@pytest.mark.parametrize("path", [*VERBATIM, *ASKING], ids=lambda path: path.name)
def test_a_module_is_in_an_example_whole(path: Path) -> None:
    both = {written(path, slurm=slurm) for slurm in (True, False)}
    wanted = ["\n".join(line.strip() for line in text.strip().splitlines()) for text in both]
    texts = (file.read_text() for file in rendered())
    # A definition file indents what it holds.
    bare = (re.sub(r"(?m)^[ \t]+|[ \t]+$", "", text) for text in texts)
    assert any(text in one for one in bare for text in wanted), "no example uses it"


@pytest.mark.parametrize("path", [*MODULES, *ASKING], ids=lambda path: path.name)
def test_a_module_comes_whole_or_not_at_all(path: Path) -> None:
    for slurm in (True, False):
        text = written(path, slurm=slurm)
        functions = {found[0] for found in DEFINITION.finditer(text)}
        kind = [shell for shell in scripts() if slurm == (shell.path.parent / "job.sbatch").exists()]
        users = [shell for shell in kind if any(function in shell.text for function in functions)]
        assert [str(shell.path) for shell in users if text.strip() not in shell.text] == []


@pytest.mark.parametrize("slurm", [True, False], ids=["slurm", "others"])
@pytest.mark.parametrize("path", ASKING, ids=lambda path: path.name)
def test_a_module_that_asks_for_the_kind_is_formatted_on_each(path: Path, slurm: bool) -> None:
    """The others are by `make lint`, as they are."""
    command = [SHFMT, "-d", "-i", "2", "-ci", "-bn"]
    done = subprocess.run(command, input=written(path, slurm=slurm), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("shell", scripts(), ids=lambda shell: shell.path.relative_to(GOLDEN).as_posix())
def test_every_function_is_called(shell) -> None:
    assert sorted(shell.functions.keys() - shell.called()) == []


def test_every_variable_that_is_read_is_set() -> None:
    """In the file itself, by bash or the launcher, or checked where it is not; ShellCheck exempts upper case names."""
    unset = {}
    for shell in scripts():
        code = COMMENT.sub("", re.sub(r"(?ms)<<-?'(\w+)'.*?^\s*\1$", "", shell.text))
        known = {*SET.findall(code), *CHECKED.findall(code)}
        known |= {word for words in TAKEN.findall(code) for word in re.findall(r"[A-Z][A-Z0-9_]+", words)}
        if shell.path.name == "attach.sh":
            known.add("HEAD_ADDRESS")  # of the job's own environment
        unset[shell.path] = {name for name in READ.findall(code) if not FROM_OUTSIDE.fullmatch(name)} - known
    assert {path: names for path, names in unset.items() if names} == {}


def test_every_variable_that_is_set_is_read() -> None:
    """Those that ShellCheck takes for read: set in a trap, or read by nothing but the making of the folder."""
    unread = {}
    for shell in scripts():
        code = re.sub(r'mkdir -p "\$\{\w+\}"', "", COMMENT.sub("", shell.text))
        made = {*re.findall(r'mkdir -p "\$\{(\w+)\}"', shell.text), *re.findall(r"trap '(\w+)=", code)}
        unread[shell.path] = {name for name in made if not re.search(rf"\$\{{{name}\b", code)}
    assert {path: names for path, names in unread.items() if names} == {}


def test_folders_are_made_for_files_of_the_job() -> None:
    """`submit.sh` makes the folders of Slurm's own files; the job makes what it writes to itself."""
    unused = {}
    for shell in scripts():
        made = [word for words in re.findall(r"(?m)^mkdir -p -- (.*)$", shell.main) for word in shlex.split(words)]
        if shell.path.name == "submit.sh" and made:
            directives = re.findall(
                r"(?m)^#SBATCH --(?:output|error)=(.*)/", (shell.path.parent / "job.sbatch").read_text()
            )
            unused[shell.path] = {folder for folder in made if not any(folder.endswith(path) for path in directives)}
    assert {path: folders for path, folders in unused.items() if folders} == {}


def test_a_head_by_itself_looks_for_no_way_to_the_head() -> None:
    found = [
        shell.path for shell in scripts() if shell.path.name == "head.sh" and "((NODE_RANK == 0)) ||" in shell.text
    ]
    assert found == []


def test_no_folder_is_the_runs_before_it_has_been_taken() -> None:
    """Where a second start finds a run at work: whatever ends it until then must find nothing to clear away."""
    early = {}
    for shell in scripts():
        for name, body in shell.functions.items():
            before, taken, _ = body.partition("\n  take_folder ")
            if taken:
                leave = shell.functions["leave_host" if name == "node" else "leave"]
                guarded = re.search(r"(?m)^  set \+e$", leave.partition('[[ -n ${JOB_DIR} ]] || exit "${status}"')[2])
                wrong = re.findall(r"JOB_DIR=(?!'').*|\bmkdir\b.*|\bexit\b.*", before)
                early[shell.path, name] = [*wrong, *([] if guarded and "JOB_DIR=''\n" in before else ["unguarded"])]
    assert {path.parents[2].name for path, _ in early} >= {"design", "everything"}
    assert {place: found for place, found in early.items() if found} == {}


def test_files_for_other_kinds_have_nothing_of_slurms() -> None:
    """No signal that nobody sends there, no variable that nobody sets, no sentence about a program that is not there.

    What the manifest itself says is the user's: the prefixes of `ray.unset_env_prefixes`, a name in the header.
    """
    found = {}
    for shell in scripts():
        if shell.path.name in {"boot.sh", "head.sh", "worker.sh"}:
            text = re.sub(r"UNSET_PREFIXES=\(.*\)", "", shell.text.partition("\nset -Eeuo pipefail\n")[2])
            found[shell.path] = re.findall(r".*(?:(?i:slurm)|USR2|14\[03\]|NoDevFiles|\bPORT_\w+|\ba step\b).*", text)
    assert len(found) > 20
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_no_pipe_ends_before_its_writer() -> None:
    """Under pipefail, a writer that still has lines when its reader leaves ends the script with 141, now and then."""
    code = {shell.path: "\n".join((shell.main, *shell.functions.values())) for shell in scripts()}
    assert {path: found for path, text in code.items() if (found := EARLY_END.findall(text))} == {}


def test_a_function_that_nobody_calls_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "job.sh"
    file.write_text(
        "used() { deep; }\ndeep() {\n  say \"lost\"\n  cat <<'X'\nlost\nX\n}\nsay() {\n  :\n}\n"
        "lost() {\n  lost_too\n}\nlost_too() {\n  used\n}\nused\n"
    )
    shell = read(file)
    assert shell.functions.keys() - shell.called() == {"lost", "lost_too"}
