"""The group of all commands, and the one place where the process ends.

Only click is imported here; a command's module is imported when that command runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

import click

from mngen import __version__
from mngen.cli.commands import COMMANDS
from mngen.cli.ending import until_told
from mngen.cli.options import talk_options
from mngen.cli.streams import leave_stderr, leave_stdout, settle
from mngen.cli.ui import Ui
from mngen.errors import EnvironmentFailure, FindingsError, InternalError, MngenError, UsageError

INTERRUPTED = 130
_COMPLETION = "scripts that `mngen completion` prints set it for themselves; otherwise unset it"

_EPILOG = """\b
Examples:
  mngen init --preset slurm-cuda -o manifest.yaml
  mngen validate manifest.yaml
  mngen render manifest.yaml -o out
  mngen diff manifest.yaml -o out

\b
Exit status: 0 clean, 1 findings, drift or a rehearsal that ended otherwise than
it should, 2 wrong usage, 3 the machine is in the way, 4 an internal error;
130, 143 or 129 when Ctrl-C, SIGTERM or SIGHUP ended it.
"""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names, in the order of the list."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        del ctx
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = import_module(f"mngen.cli.{entry.module}").command
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called; the message for an unknown one names the nearest."""
        if args[0] not in COMMANDS and not ctx.resilient_parsing and not args[0].startswith("-"):
            from difflib import get_close_matches  # noqa: PLC0415 - few command lines have a mistake

            close = get_close_matches(args[0], COMMANDS, n=1)
            meant = f" Did you mean '{close[0]}'?" if close else ""
            raise click.UsageError(f"No such command '{args[0]}'.{meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from their one-line help."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[click.shell_completion.CompletionItem]:
        """Complete names of commands without importing them, and the group's own options as click does."""
        item = click.shell_completion.CompletionItem
        names = [item(name, help=entry.help) for name, entry in COMMANDS.items() if name.startswith(incomplete)]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]


def _print_version(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if not value or context.resilient_parsing:
        return
    ui = context.ensure_object(Ui)
    text = f"mngen {__version__} (manifest mngen/v1)\n"
    if ui.verbosity > 0:
        text += import_module("mngen.cli.about").text()
    ui.data(text)
    context.exit()


@click.group(cls=LazyGroup, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version; with -v before it, what mngen runs on.",
)
@talk_options
@click.pass_context
def group(context: click.Context) -> None:
    """Turn one manifest into every file that a multi-node Ray workload needs.

    Dockerfiles and Apptainer definitions, and complete launch files for Slurm, SkyPilot, dstack and
    machines started by hand.
    """
    context.ensure_object(Ui)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status; the words are on stderr already."""
    settle()
    ui = Ui()
    try:
        _require_completion()
        work = partial(group.main, args=list(arguments), prog_name="mngen", standalone_mode=False, obj=ui)
        status: object = until_told(ui, work)
        _flush()
    except Exception as error:  # noqa: BLE001 - the last line of defence: the user never sees a traceback
        return _failed(ui, error, arguments)
    except SystemExit as error:
        # click ends the process with 1 for a pipe that broke, and with 0 once a shell has its completions.
        return _broken(ui, arguments) if error.code else 0
    except KeyboardInterrupt:
        ui.problem("interrupted")
        return INTERRUPTED
    return status if isinstance(status, int) else 0


def _require_completion() -> None:
    """Refuse a variable for tab completion that no shell's script sets: click takes it for a command line's own end."""
    asked = os.environ.get("_MNGEN_COMPLETE", "")
    if not asked:
        return
    shell, _, what = asked.partition("_")
    if shell not in {"bash", "zsh", "fish"} or what not in {"source", "complete"}:
        raise UsageError(f"`_MNGEN_COMPLETE={asked}` is none of tab completion's own", hint=_COMPLETION)
    words, at = os.environ.get("COMP_WORDS"), os.environ.get("COMP_CWORD")
    if what == "complete" and (not words or at is None or (shell != "fish" and not at.isdecimal())):
        message = (
            f"`_MNGEN_COMPLETE={asked}` goes with COMP_WORDS and COMP_CWORD, the words typed and which is completed"
        )
        raise UsageError(message, hint=_COMPLETION)


def _flush() -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        leave_stdout()


def _broken(ui: Ui, arguments: Sequence[str]) -> int:
    """Return the status for a pipe that broke, for which click ends the process: its help is all that it prints."""
    leave_stdout()
    if {"-h", "--help"} & set(arguments):
        return 0
    ui.problem("error: Broken pipe")
    return EnvironmentFailure.exit_code


def _failed(ui: Ui, error: Exception, arguments: Sequence[str]) -> int:
    """Say what went wrong and return the exit status for it."""
    if isinstance(error, click.exceptions.Abort):
        ui.problem("interrupted")
        return INTERRUPTED
    if isinstance(error, click.ClickException):
        try:
            error.show()
        except OSError:
            leave_stderr()
        return error.exit_code
    if isinstance(error, MngenError):
        _show(ui, error)
        return error.exit_code
    if isinstance(error, FileNotFoundError) and not error.filename and _is_nowhere():
        _show(ui, EnvironmentFailure("the current folder was removed", hint="change to one that exists: cd"))
        return EnvironmentFailure.exit_code
    if isinstance(error, OSError):
        ui.problem(f"error: {_refusal(error)}")
        return EnvironmentFailure.exit_code
    crash = import_module("mngen.cli.crash")
    ui.problem(crash.words(error, crash.write_report(error, arguments)))
    return InternalError.exit_code


def _is_nowhere() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def _refusal(error: OSError) -> str:
    try:
        sys.stdout.flush()
    except OSError:
        leave_stdout()
        return f"cannot write to standard output: {error.strerror}"
    return (error.strerror or str(error)) + (f": {error.filename}" if error.filename else "")


def _show(ui: Ui, error: MngenError) -> None:
    if isinstance(error, FindingsError):
        text = import_module("mngen.report.text")
        ui.problem(text.render(error.diagnostics, error.sources, color=ui.color_err))
        return
    ui.failed(error.message, error.hint)
