"""``mngen rehearse``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mngen.cli.options import format_option, not_empty, talk_options
from mngen.cli.rehearsing import Wish, rehearse
from mngen.cli.ui import current_ui
from mngen.rehearse.plain import WAYS
from mngen.rehearse.rounds import FAULTS

_EPILOG = """\b
Examples:
  mngen rehearse out/slurm/job.sbatch
  mngen rehearse out/slurm --nodes 4 --network ipv6
  mngen rehearse out/slurm --fault worker-lost --fault too-few-gpus
  mngen rehearse out/gcp/task.sky.yaml --format json

Runs a launch file on nodes that this machine plays, without Slurm, root or
GPUs: real bash and real addresses, Ray if it is installed here, stand-ins
for everything else. What belongs to the user (driver, setup, services, image)
is replaced, and each replacement is listed; files written by hand run as they
are. Without --fault there are three rounds: all goes well, the driver fails,
the job is cancelled.

It needs Linux and bash. Where users may not make namespaces, nodes are plain
processes, which show less; what they do not show is listed too.
Exit status: 0 each round ended as it should, 1 one did not, 130, 143 or 129
ended by Ctrl-C, SIGTERM or SIGHUP.
"""


@click.command("rehearse", epilog=_EPILOG)
@click.argument("file", metavar="FILE|FOLDER", callback=not_empty)
@click.option("--nodes", type=click.IntRange(min=1), metavar="N", help="This many nodes instead of the file's own.")
@click.option("--network", type=click.Choice(["ipv4", "ipv6", "dual"]), help="What addresses the nodes have.")
@click.option(
    "--fault",
    "faults",
    type=click.Choice(["plain", *FAULTS, "all"]),
    metavar="NAME",
    multiple=True,
    help=f"Only this goes wrong; may be repeated: plain (nothing does), {', '.join(FAULTS)}, or all of them.",
)
@click.option(
    "--ray",
    type=click.Choice(["real", "stub"]),
    help="The Ray that is installed here, or a stand-in; real where its release is the file's.",
)
@click.option(
    "--nodes-as",
    type=click.Choice(WAYS),
    default="auto",
    help="What nodes are: namespaces where this machine lets its users make them, else plain processes.",
)
@click.option("--run-driver", is_flag=True, help="Run the driver itself.")
@click.option("--run-setup", is_flag=True, help="Run setup, preparation and the like.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=1),
    metavar="SECONDS",
    help="What a round may take: 120, with the installed Ray 400.",
)
@format_option("text", "json")
@talk_options
def command(form: str, file: str, **wish: Any) -> int:
    """Run a launch file on nodes that this machine plays."""
    return rehearse(current_ui(), form, Path(file), Wish(**wish))
