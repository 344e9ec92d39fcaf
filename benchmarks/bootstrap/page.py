"""The page and the plot of the start-up times."""

from collections.abc import Mapping
from pathlib import Path

import pygal

HEAD = """# How long a job takes to its driver

`make bench-bootstrap` writes this page: seconds from the start of the batch shell to the start of the driver, with
{versions}, medians of {rounds} rounds in which the ways take turns. The nodes are namespaces of one machine, so
times grow with their number as they do not on machines of their own; beside each other they tell what a way costs.

- **floor**: Ray's own head and workers, started at once with one step, and a client that asks until it sees all nodes
  and GPUs. No way can be faster.
- **generated**: `golden/minimal`, with its checks of each node, ports and token of its own, and a watch over all parts.
- **symmetric**: `ray symmetric-run`, as Ray's guide for Slurm has it. **serial**: a sleep of 10 s after the head and
  of 5 s after each worker, as in guides; it does not look who came.

![Seconds to the driver](bootstrap.svg)

| nodes | floor | generated | to floor | before Ray | container | symmetric | to floor | serial | to floor |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""
NOTE = """
*Before Ray*: what the generated job does until `ray start` on the head, checks included; part of *generated*.
*Container*: what Apptainer adds to it (`golden/verl-gsm8k-slurm`, target sif).
"""
WAYS = ("floor", "generated", "symmetric", "serial")

Medians = Mapping[tuple[str, int], tuple[float, ...]]


def _line(medians: Medians, nodes: int) -> str:
    floor, generated, symmetric, serial = (medians[way, nodes][0] for way in WAYS)
    before = medians["generated", nodes][1]
    container = medians["generated, apptainer", nodes][0] - generated
    cells = [f"{floor:.1f}", f"**{generated:.1f}**", f"**{generated / floor:.2f}**"]
    cells += [f"{before:.1f}", f"{container:+.1f}"]
    cells += [f"{symmetric:.1f}", f"{symmetric / floor:.2f}", f"{serial:.1f}", f"{serial / floor:.2f}"]
    return f"| {nodes} | {' | '.join(cells)} |\n"


def write(medians: Medians, rounds: int, versions: str, folder: Path) -> None:
    """Write `bootstrap.md` and `bootstrap.svg`."""
    counts = sorted({nodes for _, nodes in medians})
    text = HEAD.format(versions=versions, rounds=rounds) + "".join(_line(medians, nodes) for nodes in counts) + NOTE
    (folder / "bootstrap.md").write_text(text)
    chart = pygal.Bar(
        title="Seconds from the start of the job to the start of the driver",
        x_title="nodes",
        js=(),
        style=pygal.style.CleanStyle,
        print_values=True,
        value_formatter=lambda value: f"{value:.1f}",
        show_y_guides=False,
        no_prefix=True,
        disable_xml_declaration=True,
    )
    chart.x_labels = [str(nodes) for nodes in counts]
    for way in WAYS:
        chart.add(way, [round(medians[way, nodes][0], 1) for nodes in counts])
    (folder / "bootstrap.svg").write_text(chart.render(is_unicode=True) + "\n")
