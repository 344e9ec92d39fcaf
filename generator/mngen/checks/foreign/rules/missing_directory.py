"""A path variable names a directory that no step makes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import dirname, join, normpath

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.plain_bases import is_plain
from mngen.checks.foreign.stages import Setting, Stage, filled, settings, stages, values_of
from mngen.checks.foreign.uv_environments import environments
from mngen.diagnostics import Severity

PATHS = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "PKG_CONFIG_PATH")
_OF_THE_SYSTEM = (
    *(
        "/usr",
        "/bin",
        "/sbin",
        "/lib",
        "/lib64",
        "/etc",
        "/root/.local",
        "/root/.cargo",
        "/root/miniconda3",
        "/.singularity.d",
    ),
    *("/opt/rocm", "/opt/conda", "/opt/nvidia", "/opt/hpcx", "/opt/amazon", "/opt/mellanox", "/opt/intel", "/opt/cray"),
)
"""Where base images, package managers and the host's binds put things."""
_OF_INSTALLERS = (
    *("UV_INSTALL_DIR", "UV_TOOL_BIN_DIR", "UV_PYTHON_INSTALL_DIR", "UV_PROJECT_ENVIRONMENT", "CARGO_HOME"),
    *("RUSTUP_HOME", "PIPX_HOME", "PIPX_BIN_DIR", "POETRY_HOME", "PIXI_HOME", "MAMBA_ROOT_PREFIX", "NVM_DIR"),
    *("BUN_INSTALL", "DENO_INSTALL", "PNPM_HOME", "GOPATH", "GOBIN"),
)
"""Variables that tell a tool which directory to make."""
_BRINGS = {"COPY", "ADD", "FILES", "VOLUME"}
_JSON_MARKS = '[]",'
_RELATIVE = re.compile(r"(?<![\w./$-])[\w.-]+(?:/[\w.-]+)*")
_UNPACKED = re.compile(r"\btar\b[^|&;\n]*?(?:-C|--directory)[= ]?\s*(/[\w./-]*)")
_STEPS = {"RUN", "POST", "SETUP"}
_MAKES = {*_STEPS, "WORKDIR", *_BRINGS}


def _check(document: Document) -> Iterator[Found]:
    for stage in stages(document):
        if not is_plain(stage.base):
            continue
        values = values_of(stage.instructions)
        made = [*_made(stage, values), *(("RUN", values[name]) for name in _OF_INSTALLERS if name in values)]
        for setting in (item for part in stage.own for item in settings(part) if item.lasting):
            for entry in _entries(setting, values):
                if not _is_made(entry, made):
                    yield Found(
                        setting.line,
                        f"{setting.name} names `{entry}`, a directory that no step of this file makes and the base "
                        "image does not have",
                        "clone, copy or install it there, or remove the entry",
                    )


def _entries(setting: Setting, values: dict[str, str]) -> Iterator[str]:
    if setting.name in PATHS:
        for entry in filled(setting.value, values).split(":"):
            path = entry.rstrip("/")
            of_the_system = any(path == root or path.startswith((root + "/", root + "-")) for root in _OF_THE_SYSTEM)
            if path.startswith("/") and "$" not in path and not of_the_system:
                yield path


def _made(stage: Stage, values: dict[str, str]) -> list[tuple[str, str]]:
    """Return the texts that may make a directory, with their instruction's word; what is copied gets its full path."""
    found: list[tuple[str, str]] = []
    folder = "/"
    for part in (part for part in stage.instructions if part.word in _MAKES):
        text = filled(part.text, values)
        if part.word == "WORKDIR":
            folder = join(folder, text.strip())
        elif part.word in _STEPS:
            by_uv = environments(text, folder, values.get("UV_PROJECT_ENVIRONMENT", ""))
            relative = _RELATIVE.findall(text) if part.word == "RUN" and folder != "/" else ()
            text = " ".join([text, *(join(folder, word) for word in relative), *by_uv])
        elif part.word in {"COPY", "ADD"} and text.split():
            text = f"{text} {normpath(join(folder, text.split()[-1].strip(_JSON_MARKS)))}"
        found.append((part.word, text))
    return found


def _is_made(entry: str, made: list[tuple[str, str]]) -> bool:
    last = entry.rpartition("/")[2]
    whole = re.compile(rf"{re.escape(entry)}(?![\w.-])")
    # By itself it is a relative path; at the end of an address it is what a clone makes.
    name = re.compile(rf"(?:(?<![\w./-])|://\S*/){re.escape(last)}(?:\.git)?(?![\w.-])")
    unpacked = (
        place.rstrip("/") for word, text in made if word in {"RUN", "POST"} for place in _UNPACKED.findall(text)
    )
    if any(entry.startswith(f"{place}/") for place in unpacked):
        return True
    if any(whole.search(text) or (word in {"RUN", "POST"} and name.search(text)) for word, text in made):
        return True
    # Below a directory that is copied, or that a step names, anything may be; /opt and the like say nothing.
    while entry.count("/") > 1:
        entry = dirname(entry)
        parent = re.compile(rf"(?<![\w./-]){re.escape(entry)}/?(?![\w./-])")
        deep = entry.count("/") > 1
        if any(parent.search(text) and (deep or word in _BRINGS) for word, text in made):
            return True
    return False


RULE = Rule("MN901", Severity.WARNING, _check)
