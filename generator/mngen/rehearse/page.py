"""``docs/rehearse.md``: what a rehearsal does, shows and cannot show, with the rounds as the code has them."""

from __future__ import annotations

from mngen.rehearse.rounds import DEFAULT, ROUNDS, Round

_NEEDS = {
    "driver": "a driver",
    "workers": "two nodes",
    "gpus": "GPUs, on Slurm NVIDIA's",
    "fabric": "a fabric",
    "services": "services",
    "ports": "a service with a port",
    "secrets": "secrets",
    "retry": "`retry` after 76",
    "slurm": "Slurm",
    "shm": "a check of `/dev/shm`",
    "stub": "the stand-in for Ray",
    "network": "namespaces",
    "loss": "`on_node_loss: fail`",
}
_TEXT = """\
# Rehearsing a launch file

`mngen rehearse out/hpc` runs a launch file on your own computer before it costs queue time: Slurm batch files,
SkyPilot and dstack tasks, and scripts that are started by hand; those that mngen wrote, and those written by others.
It needs no Slurm, no root and no GPU, only Linux and bash 4.4 or newer; with namespaces and `ip` it shows most.

```sh
mngen rehearse out/hpc                                    # all goes well, the driver fails, the job is cancelled
mngen rehearse out/hpc --nodes 4 --network ipv6
mngen rehearse out/hpc --fault worker-lost --fault too-few-gpus
mngen rehearse out/gcp --fault all --format json          # for CI
```

Exit status: 0 when each round ended as it should, 1 when one did not, 2 for what is no launch file, 3 where this
machine cannot play a cluster, 130, 143 or 129 when Ctrl-C, SIGTERM (`timeout`) or SIGHUP (a closed terminal) ended it.
When the reader of a pipe leaves (`| head`), all rounds still run, and the status is that of all of them.

## What is real

- bash, and every line of the file but what is listed below `not exercised`; sockets, ports, signals, process groups,
  exit statuses.
- Nodes with names, addresses and routes of their own, `/tmp`, `/dev`, `/dev/shm` and hosts file included. Each is a
  set of namespaces of one process, and ends with it, also at Ctrl-C, SIGTERM and
  SIGHUP; what a rehearsal that was killed leaves in `/var/tmp` is removed by the next one.
- Ray, if one that works is installed (its `ray` on `PATH`, or in the Python that runs mngen) and has the release that
  the file asks for. `--ray real` insists on it, `--ray stub` takes the stand-in, which needs a second where Ray needs
  half a minute.

## Without namespaces

Where users may not make namespaces (Ubuntu 24.04 as it is installed, most containers, hardened kernels), nodes are
plain processes of yours; `--nodes-as processes` asks for that, `--nodes-as namespaces` insists on the other. The
rounds and the checks are the same, with less below them:

- Names, addresses, routes and listeners are told by stand-ins for `getent`, `ip`, `ss`, `hostname` and `uname`, from
  the same table as with namespaces. Python's sockets (all stand-ins) really connect, each node on addresses of its own
  in 127/8, for IPv6 as well; what is no node's address cannot be reached. bash's `/dev/tcp` becomes a program.
- Absolute paths in the text (`/tmp`, mounts, devices, the image's) lead to a folder of the rehearsal; no line is moved.
  Mounts are links that can be written. `df` tells what `/dev/shm` should have.
- A container's command runs on the node itself. All nodes' processes see each other, but only those that the rehearsal
  started are looked at, signalled and ended.

Nothing keeps such a node from your files and processes, so `pkill` and its like are not there, and what may do
anything is refused with status 3: files that mngen did not write, `--run-driver`, `--run-setup`; so are `--ray real`,
since Ray's own nodes need an address each, and `--fault node-silent`, since there is no cable to cut.

## What is played

Slurm's programs, container clients, GPU tools and Ray's stand-in check options, ports and addresses as the originals
do; they are those on which mngen's own tests run. What belongs to you (driver, setup, preparation, services, image,
secrets, the words that bring Ray) is replaced, and each replacement is listed below `not exercised`. `--run-driver` and
`--run-setup` run your own. A file written by hand runs as it is. Its GPUs are AMD's if it asks for one of AMD's models,
or names nothing but AMD's devices, tools, images or masks. `module` is there on Slurm's nodes and on those started by
hand; it succeeds and loads nothing. Container tools other than Apptainer, Docker, Podman and pyxis are not played. A
round has two minutes, with the installed Ray 400 s; `--timeout` gives it more.

## What is looked at

On a terminal each node has a line, drawn anew when something happens: started, the address that it chose, joined,
services, driver, end. At the end of a round: the exit status, whether all nodes have joined, whether the driver ran
once and only then, whether the log names the bad node and its last line says how the job ended, and what is left over
on any node (processes, containers, files in `/tmp`).

## Rounds

Without `--fault` there are {default}. A round that does not apply to a file is left out with `--fault all`, and
refused when it is asked for. A file written by hand may end with any status but 0 where something goes wrong.

| `--fault` | what happens | it must end with | only with |
| --- | --- | --- | --- |
{rows}

A driver that is warned of the time limit (`on_time_limit`) decides itself how the job ends, and with `then: requeue`
the job starts again and ends with 0; one that is not warned is cancelled.

## What it cannot show

Whether the image holds what the driver wants, whether GPUs and fabric work, how fast anything is, and what a site's
own plugins and prologs do. Waits are shortened, so a cluster that takes ten minutes to come up is given up. At most
16 nodes.

This page is written from `generator/mngen/rehearse/rounds.py`; change that, then run `make docs`.
"""


def page() -> str:
    """Return the page."""
    default = ", ".join(f"`{name}`" for name in DEFAULT)
    return _TEXT.format(default=default, rows="\n".join(map(_row, ROUNDS)))


def _row(one: Round) -> str:
    needs = ", ".join(_NEEDS[need] for need in one.needs)
    return f"| `{one.name}` | {one.does} | {' or '.join(map(str, one.statuses))} | {needs} |"
