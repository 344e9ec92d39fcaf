"""Programs that start another one: how many of their words stand before it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from mngen.checks.foreign.words import Word

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


class Launcher(Struct, frozen=True):
    """What stands before the command: options, of which ``valued`` take the next word, and ``operands`` words."""

    valued: frozenset[str] = frozenset()
    operands: int = 0
    assigns: bool = False
    """Whether ``NAME=value`` may stand there too."""
    paired: frozenset[str] = frozenset()
    """Options that take the next two words."""
    each_valued: bool = False
    """Whether every option takes the next word that has no ``=`` of its own."""

    def length(self, option: str) -> int:
        """Of how many words an option is."""
        if option in self.paired:
            return 3
        return 2 if option in self.valued or (self.each_valued and "=" not in option) else 1


def _of(valued: str = "", operands: int = 0, *, assigns: bool = False, paired: str = "") -> Launcher:
    return Launcher(frozenset(valued.split()), operands, assigns, frozenset(paired.split()))


_CONDA = _of("-n --name -p --prefix --cwd")
_MAMBA = _of("-n --name -p --prefix --cwd -r --root-prefix --rc-file -e --env --label -a --attach")
_UV = (
    "--with --with-editable --with-requirements -p --python --project --directory --extra --no-extra --group "
    "--no-group --only-group --env-file --package --no-package --index --default-index -i --index-url "
    "--extra-index-url -f --find-links --cache-dir --config-file --config-setting -C --link-mode --color "
    "-P --upgrade-package --refresh-package --reinstall-package --python-platform --prerelease --resolution"
)
# mpirun(1) of Open MPI, and Hydra's of MPICH, which has single dashes and pairs of its own.
_MPI = _of(
    "-c -n --n -np --np -N -npernode --npernode -npersocket --npersocket -H -host --host -hostfile --hostfile "
    "-machinefile --machinefile -map-by --map-by -rank-by --rank-by -bind-to --bind-to -x -wdir --wdir -wd "
    "-path --path -prefix --prefix -output-filename --output-filename -am --am -rf --rankfile -timeout "
    "--timeout -hosts -f -ppn -perhost -genvlist -envlist -iface -launcher -bootstrap -rmk",
    paired="-mca --mca -gmca --gmca -genv -env",
)
_SSH = "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w"

_LAUNCHERS = {
    **dict.fromkeys(("nohup", "command", "setsid", "builtin", "then", "!", "unbuffer", "doas", "eval"), _of()),
    "exec": _of("-a"),
    "time": _of("-f --format -o --output"),
    "sudo": _of("-u --user -g --group -h --host -p --prompt -C -D -R -T -U -r -t", assigns=True),
    "env": _of("-u --unset -C --chdir", assigns=True),
    "stdbuf": _of("-i --input -o --output -e --error"),
    "timeout": _of("-k --kill-after -s --signal", 1),
    "nice": _of("-n --adjustment"),
    "ionice": _of("-c --class -n --classdata"),
    "chrt": _of("-T -P -D", 1),
    "taskset": _of("", 1),
    "numactl": _of(
        "-i --interleave -w --weighted-interleave -m --membind -C --physcpubind -N --cpunodebind -p --preferred "
        "-P --preferred-many"
    ),
    "shifter": _of("-i --image -m --module -V --volume -e --env --env-file -w --workdir -E --entrypoint"),
    "enroot start": _of("-c --conf -e --env -m --mount --rc", 1),
    "conda run": _CONDA,
    "mamba run": _MAMBA,
    "micromamba run": _MAMBA,
    "uv run": _of(_UV),
    "poetry run": _of(),
    "pipenv run": _of(),
    "pdm run": _of("-p --project"),
    "rye run": _of(),
    "pixi run": _of("-e --environment --manifest-path --color --concurrent-solves"),
    "ssh": _of(_SSH, 1),
    "pdsh": _of("-w -x -g -X -f -l -t -u -R -M"),  # pdsh(1)
    "clush": _of("-w -x -g -X -l -f -t -u -o -s -O -R --hostfile --machinefile"),  # clush(1)
    "nsys profile": Launcher(each_valued=True),  # NVIDIA Nsight Systems User Guide, CLI Profile Command Switch Options
    **dict.fromkeys(("mpirun", "mpiexec", "mpiexec.hydra", "orterun", "prterun"), _MPI),
}
"""Those without a table of options; ``docker run`` and its like have one."""


def find_launcher(texts: Sequence[str]) -> tuple[str, int] | None:
    """Name the launcher that a command line starts, and how many of its words name it."""
    base = texts[0].rsplit("/", 1)[-1]
    for name, length in ((" ".join([base, *texts[1:2]]), 2), (base, 1)):
        if name in _LAUNCHERS:
            return name, length
    return None


def started(program: str, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the words of the command that a launcher starts, given the words after its name; none if it is none."""
    launcher = _LAUNCHERS.get(program)
    if launcher is None:
        return ()
    place = 0
    while place < len(words):
        text = words[place].text
        if program == "uv run" and text in {"-m", "--module"}:
            return (_python(words[place]), *words[place:])
        if text == "--":
            place += 1
            break
        if text.startswith("-") and len(text) > 1:
            place += launcher.length(text)
        elif launcher.assigns and _ASSIGNMENT.match(text):
            place += 1
        else:
            break
    rest = words[place + launcher.operands :]
    rest = rest[1:] if launcher.operands and rest and rest[0].text == "--" else rest
    # uv runs a file of that name by its Python.
    return (_python(rest[0]), *rest) if program == "uv run" and rest and rest[0].text.endswith(".py") else rest


def _python(word: Word) -> Word:
    return Word("python3", "python3", word.line)
