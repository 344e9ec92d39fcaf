"""What stands for the user's own in a rehearsal: small changes to a generated script, none of which moves a line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field

from mngen.manifest.judging.script_names import PARTS
from mngen.manifest.whole_numbers import whole_number

WAIT_S = 60
"""What a cluster or a service may take to come up here, in seconds; stand-ins take two."""

_TEXT = re.compile(
    r"^write_(\w+)\(\) \{\n  cat >\"\$\{JOB_DIR\}/\w+\.sh\" <<'(\w+)'\n(.*?)^\2$", re.MULTILINE | re.DOTALL
)
_DRIVER = re.compile(r"^( *(?:DRIVER|driver)=\()(\n\s*)?", re.MULTILINE)
_SERVICE = re.compile(rf"\bstart_part (?!(?:{'|'.join(PARTS)}) )([\w-]+) ")
_PORT = r"(?:listening_at|http_answers) (\S+)"
_TOTAL = re.compile(r"^(\s+\"\$\{NODES\}\" )([0-9]+)(?= \"\$\{READY_TIMEOUT)", re.MULTILINE)
_PREFIX = re.compile(
    r"^  exec (?!apptainer |singularity |docker |podman )(.+?) bash \"\$\{JOB_DIR\}/job\.sh\"", re.MULTILINE
)

_ARRAY = r"""\((?:\$'(?:\\.|[^'\\])*'|'[^']*'|"(?:\\.|[^"\\])*"|[^'")])*\)"""
_RAY_ARRAY = re.compile(rf"^(readonly (?:[^\n]* )?(RAY|RAY_PYTHON)=)({_ARRAY})", re.MULTILINE)
_RAY_START = re.compile(
    r'^(\s*TMPDIR=\S+ start_part ray (?:env "\$\{RAY_WITHOUT\[@\]\}" )?)(.+)(?= start "\$\{role\[@\]\}")', re.MULTILINE
)
_RETRY_MAX = re.compile(r"^(readonly (?:.* )?RETRY_MAX=)[0-9]+", re.MULTILINE)
_TEMP = re.compile(
    r"""^(\s*(?:(?:local folder|JOB_DIR)=|take_folder )["']?)(/[\w./@%+-]*?)(?=/mngen(?:-|["']?$))""", re.MULTILINE
)
_PATH = re.compile(r"^(  export PATH=)(?=.)", re.MULTILINE)
_RAY_WORDS = {"RAY": "ray", "RAY_PYTHON": "python3"}
"""What the nodes have on PATH in the place of the manifest's `ray.command` and `ray.python`."""


class Edited(Struct):
    """A script as it is rehearsed, and what was changed in it."""

    text: str
    """The script."""
    driver: bool = False
    """Whether it starts a driver, which then is a stand-in."""
    texts: list[str] = field(default_factory=list)
    """The manifest's own texts that do nothing now."""
    services: list[str] = field(default_factory=list)
    """The services that a stand-in plays."""
    prefix: str = ""
    """The site's command prefix that a stand-in plays."""
    ray: list[str] = field(default_factory=list)
    """The words by which the manifest starts Ray and its Python, where `ray` and `python3` stand for them."""
    temp: str = ""
    """The manifest's `ray.temp_dir`, for which a node's /tmp stands."""
    path: bool = False
    """Whether the nodes' folders of programs stand before those of the manifest's."""

    def keep_away_texts(self) -> None:
        """Let the manifest's own texts do nothing."""

        def emptied(match: re.Match[str]) -> str:
            self.texts.append(match[1])
            whole = match[0]
            return whole.replace(match[3], ":\n" + "\n" * (match[3].count("\n") - 1)) if match[3].strip() else whole

        self.text = _TEXT.sub(emptied, self.text)

    def stand_in_for_driver(self) -> None:
        """Put a stand-in before the driver's words, which it gets as arguments."""
        self.driver = bool(_DRIVER.search(self.text))
        self.text = _DRIVER.sub(lambda match: f"{match[1]}{match[2] or ''}sim-driver ", self.text)

    def stand_in_for_services(self) -> None:
        """Put a stand-in before the words of each service; it listens where the script waits for it."""

        def played(match: re.Match[str]) -> str:
            name = match[1]
            self.services.append(name)
            waits = re.search(rf"wait_for_service {re.escape(name)} \d+ (.*)", self.text)
            port = re.search(_PORT, waits[1]) if waits else None
            where = f" --port {port[1]}" if port else ""
            return f"{match[0]}sim-service{where} "

        edited = _SERVICE.sub(played, self.text)
        # One that is asked by a command of the user's own is taken to be ready.
        self.text = re.sub(
            r"^(\s*wait_for_service \S+ \d+) (?!listening_at |http_answers ).*$",
            r"\1 true",
            edited,
            flags=re.MULTILINE,
        )

    def stand_in_for_prefix(self) -> None:
        """Put a stand-in for the command by which the site enters the image."""
        found = _PREFIX.search(self.text)
        if found:
            self.prefix = found[1]
            self.text = self.text.replace(f"exec {found[1]} bash", "exec enter-image --image=site bash")

    def call_ray_by_name(self) -> None:
        """Start the nodes' Ray and its Python, wherever those of the manifest lie and whatever starts them."""

        def named(words: str, name: str) -> str:
            if words != name:
                self.ray = list(dict.fromkeys((*self.ray, words)))
            return name

        self.text = _RAY_START.sub(lambda match: match[1] + named(match[2], _RAY_WORDS["RAY"]), self.text)
        self.text = _RAY_ARRAY.sub(
            lambda match: f"{match[1]}({named(match[3][1:-1], _RAY_WORDS[match[2]])})", self.text
        )

    def keep_programs(self) -> None:
        """Let a `PATH` of the manifest's follow that of the nodes, where all stand-ins are."""
        self.text, found = _PATH.subn(r'\1"${PATH}":', self.text)
        self.path = found > 0

    def make_folder_in_tmp(self) -> None:
        """Let a node's /tmp stand for `ray.temp_dir`: no other folder here is each node's own."""
        self.temp = next((path for _, path in _TEMP.findall(self.text) if path != "/tmp"), "")
        if not self.temp:
            return
        bound = re.compile(rf"(--container-mounts=['\"]?){re.escape(self.temp)}:{re.escape(self.temp)}(?=[,'\"\s])")
        self.text = bound.sub(r"\1/tmp:/tmp", _TEMP.sub(r"\1/tmp", self.text))

    def give_gpus(self, count: int) -> None:
        """Ask Slurm for the GPUs that the script counts on, where a plugin of the site does that."""
        self.text = re.sub(
            r"^(#SBATCH --nodes=\d+)$", rf"\g<1> --gpus-per-node={count}", self.text, count=1, flags=re.MULTILINE
        )

    def keep_from_retrying(self) -> None:
        """Let a failure be the end, so that it can be looked at."""
        self.text = _RETRY_MAX.sub(r"\g<1>0", self.text)

    @property
    def retries(self) -> bool:
        """Whether it is tried again after some failures."""
        return bool(_RETRY_MAX.search(self.text))

    def shorten_waits(self, ready_s: int = WAIT_S) -> None:
        """Give up soon where something does not come up."""
        self.text = re.sub(
            r"^(readonly (?:\S+ )*?READY_TIMEOUT=)([0-9]+)\b",
            lambda match: f"{match[1]}{_shorter(match[2], ready_s)}",
            self.text,
            flags=re.MULTILINE,
        )
        self.text = re.sub(
            r"^(\s*wait_for_service \S+) ([0-9]+) ",
            lambda match: f"{match[1]} {_shorter(match[2], ready_s)} ",
            self.text,
            flags=re.MULTILINE,
        )


def resized(text: str, before: int, nodes: int, gpus: int) -> str:
    """Return a generated script, or a task, for another number of nodes."""
    changes: Sequence[tuple[str, str]] = (
        (rf"^(readonly (?:\S+ )*?NODES=){before}\b", rf"\g<1>{nodes}"),
        (rf"^(#SBATCH --nodes=){before}$", rf"\g<1>{nodes}"),
        (r"^#SBATCH --nodelist=.*$", "#"),
        (rf"^(num_nodes|nodes): {before}$", rf"\g<1>: {nodes}"),
    )
    for pattern, new in changes:
        text = re.sub(pattern, new, text, flags=re.MULTILINE)
    return _TOTAL.sub(lambda match: f"{match[1]}{(whole_number(match[2]) or 0) + (nodes - before) * gpus}", text)


def _shorter(text: str, most: int) -> int:
    """Return a number of seconds, or ``most`` where it is more."""
    found = whole_number(text)
    return most if found is None else min(found, most)
