"""Help, version, completion, unknown words: what needs no manifest."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from mngen import __version__
from mngen.cli.app import group
from mngen.cli.commands import COMMANDS
from mngen.manifest.field_index import fields
from mngen.manifest.job_variables import JOB_VARIABLES
from mngen.manifest.placeholders import described

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
HEAVY = ("docker", "rich", "jsonschema", "yaml", "jinja2", "mngen.manifest", "mngen.render")
ONLY_FOR_WRONG = ("jsonschema", "referencing", "mngen.manifest.validator", "mngen.manifest.complaints")


def of(name: str) -> click.Command:
    return import_module(f"mngen.cli.{COMMANDS[name].module}").command


def examples() -> list[tuple[str, list[str]]]:
    """Every ``mngen …`` line of every help text, as words; a pipe has several."""
    found = []
    texts = {"": group.epilog or "", **{name: of(name).epilog or "" for name in COMMANDS}}
    for name, epilog in texts.items():
        for line in epilog.splitlines():
            words = shlex.split(line.strip(), comments=True) if line.startswith("  ") else []
            while "mngen" in words:
                words = words[words.index("mngen") + 1 :]
                stop = next((i for i, word in enumerate(words) if word in {"|", ">"}), len(words))
                found.append((name, words[:stop]))
    return found


def places() -> list[tuple[str, click.Parameter]]:
    """Every parameter of a command that names a file, a folder or an image."""
    words = ("FILE", "FOLDER", "DIR", "MANIFEST", "SIF")
    params = [(name, param) for name in COMMANDS for param in of(name).params]
    named = [(name, one, one.metavar or "") for name, one in params]
    return [(name, one) for name, one, metavar in named if "=" not in metavar and any(w in metavar for w in words)]


@pytest.mark.parametrize(("name", "place"), [pytest.param(*case, id=f"{case[0]}-{case[1].name}") for case in places()])
def test_an_empty_name_is_a_mistake_of_the_shell(name, place) -> None:
    """``mngen lint "$FILE"`` without such a variable used to read the current folder."""
    own = [one for one in of(name).params if isinstance(one, click.Argument) and (one.required or one is place)]
    words = ["" if one is place else "x" for one in own]
    words = words if place in own else [place.opts[0], "", *words]
    with pytest.raises(click.BadParameter, match="it is empty"):
        of(name).make_context(name, words, parent=click.Context(group))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_is_true(mngen, name) -> None:
    command = of(name)
    assert command.name == name
    assert (command.help or "").splitlines()[0] == COMMANDS[name].help
    shown = mngen(name, "--help")
    assert shown.status == 0
    assert "Examples:" in shown.out
    assert all(len(line) <= 80 for line in shown.out.splitlines())


@pytest.mark.parametrize(("name", "words"), examples())
def test_every_example_of_the_help_is_accepted(name, words) -> None:
    command = of(words[0])
    with command.make_context(words[0], words[1:], parent=click.Context(group)) as context:
        assert context.command is command
    assert name in {"", words[0], "init", "schema"} or words[0] == "render"


def test_the_help_lists_all_commands(mngen) -> None:
    shown = mngen("--help")
    assert shown.status == 0
    assert all(f"  {name} " in shown.out and entry.help in shown.out for name, entry in COMMANDS.items())
    assert mngen("-h").out == shown.out


def test_the_version_is_one_line(mngen) -> None:
    assert mngen("--version").out == f"mngen {__version__} (manifest mngen/v1)\n"


def test_verbose_version_says_what_it_runs_on(mngen) -> None:
    assert "\nPython 3." in mngen("-v", "--version").out


def imported(arguments: list[str], names: tuple[str, ...]) -> str:
    """Return which of the modules a command has imported at its end, as Python writes a list."""
    code = (
        "import sys\n"
        "from mngen.cli.app import run\n"
        f"run({arguments!r})\n"
        f"print([name for name in {names!r} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    "arguments", [["--version"], ["--help"], ["rendr"], ["completion", "bash"], ["init", "--help"]]
)
def test_nothing_heavy_is_imported_before_it_is_needed(arguments) -> None:
    found = imported(arguments, HEAVY)
    assert found == ("['mngen.manifest']" if arguments[0] == "init" else "[]")


def test_a_right_manifest_does_not_pay_for_what_only_a_wrong_one_needs(tmp_path) -> None:
    everything = str(GOLDEN / "everything/manifest.yaml")
    assert imported(["-q", "render", "--no-lint", everything, "-o", str(tmp_path)], ONLY_FOR_WRONG) == "[]"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rendr"], "Did you mean 'render'?"),
        (["qqq"], "No such command 'qqq'."),
        (["render", "--chek", "m"], "--check"),
        (["render"], "Missing argument 'MANIFEST...'"),
        (["validate", "--format", "xml", "m"], "'xml'"),
        (["explain", "MN1"], "no field `MN1`"),
        (["explain", "slurm.tiem"], "did you mean `slurm.time`?"),
        (["explain", "targets.amd.ray.port"], "did you mean `ray.ports.gcs`?"),
        (["explain", "time"], "slurm.time"),
        (["explain", "${{ nodez }}"], "did you mean `${{ nodes }}`?"),
        (["explain", "${{ nodes"], "is not one placeholder"),
        (["explain", "x${{ nodes }}"], "is not one placeholder"),
        (["explain", "${{ a.b }}"], "`mngen explain` lists the placeholders"),
        (["explain", "MN999"], "there is no code `MN999`"),
        (["completion", "tcsh"], "'tcsh'"),
    ],
)
def test_wrong_usage_is_status_2_on_stderr(mngen, arguments, words) -> None:
    result = mngen(*arguments)
    assert result.status == 2
    assert words in result.err
    assert result.out == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_clicks_own(mngen, shell) -> None:
    result = mngen("completion", shell)
    assert result.status == 0
    assert "_MNGEN_COMPLETE" in result.out
    assert result.err == ""


def complete(*words: str) -> list[str]:
    completer = ShellComplete(group, {}, "mngen", "_MNGEN_COMPLETE")
    return [item.value for item in completer.get_completions(list(words[:-1]), words[-1])]


def test_completion_knows_commands_options_targets_presets_and_fields(manifest) -> None:
    assert complete("re") == ["render", "rehearse"]
    assert "--check" in complete("render", "--c")
    assert complete("render", str(manifest), "--target", "f") == ["first"]
    assert complete("render", "absent.yaml", "--target", "") == []
    assert complete("init", "--preset", "slurm") == ["slurm-cuda", "slurm-rocm"]
    assert "slurm.time" in complete("explain", "slurm.ti")


def test_targets_are_completed_by_every_command_that_takes_them(manifest) -> None:
    text = Path(manifest).read_text()
    Path("manifest.yaml").write_text(text.replace("first:", "by_default:"))
    taking = {name: of(name).params for name in COMMANDS if any(one.name == "targets" for one in of(name).params)}
    assert {"render", "show", "urls"} <= set(taking)
    for name, parameters in taking.items():
        (argument,) = (one for one in parameters if one.param_type_name == "argument")
        assert complete(name, str(manifest), "--target", "f") == ["first"], name
        assert complete(name, "--target", "second", str(manifest), "--target", "f") == ["first"], name
        assert complete(name, "--target", "by") == (["by_default"] if argument.default == "manifest.yaml" else []), name


def test_completion_works_from_a_shell() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mngen"],
        env={"_MNGEN_COMPLETE": "bash_complete", "COMP_WORDS": "mngen va", "COMP_CWORD": "1", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("plain,validate\n", "")


@pytest.mark.parametrize(
    "name", ["slurm.time", "targets.amd.ray.ports.gcs", "mounts", "env.HF_HOME", "driver", "prepare.0.run"]
)
def test_fields_are_explained(mngen, name) -> None:
    result = mngen("explain", name)
    assert result.status == 0
    assert len(result.out.splitlines()) > 2


@pytest.mark.parametrize("name", ["targets", "targets.a", "targets.amd-2", "target.a"])
def test_a_target_is_explained_with_its_keys(mngen, name) -> None:
    shown = mngen("explain", name).out
    assert shown.startswith("targets: map of NAME to map, required\n")
    rows = shown.partition("Inside each target:\n\n")[2].split("\n\n")[0].splitlines()
    keys = {field.path for field in fields().values() if field.in_target and "." not in field.path}
    assert {row.split()[0] for row in rows if not row.startswith("   ")} == {key for key in keys if "[" not in key}


@pytest.mark.parametrize("field", [field.path for field in fields().values() if not field.in_target])
def test_a_field_of_the_top_level_is_none_of_a_target(mngen, field) -> None:
    assert mngen("explain", field).status == 0
    result = mngen("explain", f"targets.a.{field}")
    assert (result.status, result.out) == (2, "")
    assert f"hint: `{field}` stands at the top level of the manifest alone\n" in result.err


@pytest.mark.parametrize("name", JOB_VARIABLES)
def test_variables_of_every_job_are_explained(mngen, name) -> None:
    for spelled in (name, f"${name}"):
        assert mngen("explain", spelled).out.startswith(f"{name}: variable of every job\n")
    assert f"\n  {name} " in mngen("explain").out
    assert name in complete("explain", name[:-1])


def test_codes_are_explained(mngen) -> None:
    assert mngen("explain", "mn504").out.startswith("MN504: file was edited by hand\n\nThe file is neither")
    assert "shellcheck.net/wiki/SC2086" in mngen("explain", "SC2086").out


@pytest.mark.parametrize("one", described(), ids=lambda one: one.name)
def test_placeholders_are_explained(mngen, one) -> None:
    spelled = f"${{{{ {one.name.replace('NAME', 'mine')} }}}}"
    shown = mngen("explain", spelled).out
    assert shown.startswith(f"${{{{ {one.name} }}}}: placeholder\n")
    assert f"Known {one.known}." in shown
    assert mngen("explain", one.name).status == 0


def test_a_name_that_is_a_field_and_a_placeholder_is_explained_as_both(mngen) -> None:
    shown = mngen("explain", "name").out
    assert shown.startswith("name: text")
    assert "\n${{ name }}: placeholder\n" in shown


def test_the_overview_lists_fields_placeholders_and_codes(mngen) -> None:
    shown = mngen("explain").out
    assert "  ray_node_gpus " in shown
    assert "  driver " in shown
    assert "  MN504 " in shown


def test_the_schema_is_printed_and_written(mngen, tmp_path) -> None:
    printed = mngen("schema")
    assert json.loads(printed.out)["$schema"].startswith("http://json-schema.org/draft-07")
    assert mngen("schema", "-o", "s.json").status == 0
    assert (tmp_path / "s.json").read_text() == printed.out
    assert mngen("schema", "-o", "s.json/below").status == 3


def test_targets_are_listed_with_their_origin(mngen) -> None:
    assert f"slurm     mngen {__version__}\n" in mngen("targets").out
    kinds = {row["kind"] for row in json.loads(mngen("targets", "--format", "json").out)["targets"]}
    assert kinds >= {"slurm", "skypilot", "dstack", "manual"}
