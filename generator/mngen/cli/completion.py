"""``mngen completion``."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from mngen.cli.options import talk_options
from mngen.cli.ui import current_ui
from mngen.errors import UsageError

SHELLS = ("bash", "zsh", "fish")

_EPILOG = """\b
Examples:
  mngen completion bash > ~/.local/share/bash-completion/completions/mngen
  mngen completion zsh > ~/.zfunc/_mngen         # a folder on fpath
  mngen completion fish > ~/.config/fish/completions/mngen.fish
"""


@click.command("completion", epilog=_EPILOG)
@click.argument("shell", type=click.Choice(SHELLS))
@talk_options
def command(shell: str) -> int:
    """Print a script for tab completion."""
    maker = get_completion_class(shell)
    root = click.get_current_context().find_root().command
    if maker is None:
        raise UsageError(f"no completion for `{shell}`")
    completion = maker(root, {}, "mngen", "_MNGEN_COMPLETE")
    # Not `source()`: for bash that starts a bash to ask for its version.
    current_ui().data(completion.source_template % completion.source_vars())
    return 0
