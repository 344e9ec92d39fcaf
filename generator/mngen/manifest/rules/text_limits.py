"""What no process can be given: an argument or variable of more than 128 KiB, a path of more than 4 KiB."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.placed_texts import cluster_texts
from mngen.manifest.model import Runtime, Target
from mngen.manifest.text import Text, literal, spelled

LIMIT = 131071
"""Bytes of one argument or ``NAME=value``, without its NUL: ``MAX_ARG_STRLEN`` of Linux, execve(2)."""
PATH_LIMIT = 4095
"""Bytes of a path, without its NUL: ``PATH_MAX`` of Linux, limits.h."""
TOTAL_LIMIT = 6 * 1024 * 1024
"""Bytes of all arguments and variables together, with eight for each item's pointer: the kernel gives them a quarter
of the stack, but at most this, whatever the stack's limit (``bprm_stack_limits`` in fs/exec.c)."""
OUTSIDE_LIMIT = (LIMIT - 512) // 4 * 3
"""Bytes of a driver's words that Ray's job server gets, in base64, as one argument of a shell."""
USUAL_TOTAL = 2 * 1024 * 1024
"""A quarter of the usual stack of 8 MiB."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse values that ``execve`` refuses, and paths that nothing can open."""
    for field, size in _items(target):
        if size > LIMIT:
            yield finding(
                target,
                "MN295",
                field,
                f"{field} has {size} bytes; Linux gives a process at most {LIMIT} in one item",
                hint="put it into a file (prepare can write one) and give the path",
            )
    for field, path in _paths(target):
        size = _size(path)
        if size > PATH_LIMIT:
            message = f"{field} has {size} bytes; Linux takes a path of at most {PATH_LIMIT}"
            yield finding(target, "MN295", field, message, hint="use a shorter path")
    yield from _together(target)
    yield from _outside(target)


def _together(target: Target) -> Iterator[Diagnostic]:
    arguments = (*target.driver.argv, *(target.resume.args if target.resume else ()))
    total = sum(size + 9 for size in (*map(_size, arguments), *_variables(target).values()))
    message = f"the driver's arguments and env have {total} bytes together; Linux gives a process"
    if total > TOTAL_LIMIT:
        message = f"{message} at most {TOTAL_LIMIT}"
        yield finding(target, "MN295", "driver", message, hint="put long values into a file", other=("env",))
    elif total > USUAL_TOTAL and "stack" not in dict(target.ulimits):
        message = f"{message} {USUAL_TOTAL} where the stack has the usual limit of 8 MiB"
        yield warning(target, "MN295", "driver", message, hint="write ulimits: {stack: unlimited}", other=("env",))


def _outside(target: Target) -> Iterator[Diagnostic]:
    total = sum(_size(text) + 1 for text in target.driver.argv)
    if target.driver.submit_from == "outside" and total > OUTSIDE_LIMIT:
        message = (
            f"the driver's arguments have {total} bytes; a job submitted from outside has room for {OUTSIDE_LIMIT}"
        )
        hint = "put long values into a file, or write from: head"
        yield finding(target, "MN295", "driver", message, hint=hint, other=("driver.from",))


def _size(text: Text) -> int:
    written = spelled(text)
    return len(written) if written.isascii() else len(written.encode())


def _variables(target: Target) -> dict[str, int]:
    return {f"env.{name}": len(f"{name}=") + _size(text) for name, text in target.env}


def _items(target: Target) -> Iterator[tuple[str, int]]:
    """Yield what becomes an argument or ``NAME=value``, by its field, in bytes."""
    for field, text in cluster_texts(target):
        if field.startswith(("driver.", "resume.", "services.", "ray.")):
            name = field.rpartition(".env.")[2] + "=" if ".env." in field else ""
            yield field, len(name) + _size(text)
    yield from _variables(target).items()
    lists = {"container.prefix": target.container.prefix, "container.options": target.container.options}
    lists["slurm.srun_args"] = tuple(map(literal, target.slurm.srun_args))
    lists["ray.command"] = tuple(map(literal, target.ray.command))
    for field, texts in lists.items():
        yield from ((f"{field}.{index}", _size(text)) for index, text in enumerate(texts))
    if target.runtime is Runtime.PYXIS and target.mounts:
        pairs = (_size(mount.source) + _size(mount.target) + len(":,") for mount in target.mounts)
        yield "mounts", sum(pairs)  # one argument of srun


def _paths(target: Target) -> Iterator[tuple[str, Text]]:
    for index, mount in enumerate(target.mounts):
        yield f"mounts.{index}.source", mount.source
        if mount.target != mount.source:
            yield f"mounts.{index}.target", mount.target
    yield from ((f"env_files.{index}", path) for index, path in enumerate(target.env_files))
    yield from ((f"secrets.{secret.name}.file", secret.file) for secret in target.secrets if secret.file is not None)
    yield from ((f"prepare.{i}.creates", step.creates) for i, step in enumerate(target.prepare) if step.creates)
    code, image, endpoint = target.code, target.image, target.endpoint
    single = {
        "workdir": target.workdir,
        "code.path": literal(code.path) if code and code.path else None,
        "code.to": literal(code.to) if code and code.to else None,
        "image.sif": image.sif if image else None,
        "image.sqsh": image.sqsh if image else None,
        "endpoint.file": endpoint.file if endpoint else None,
        "logs.dir": literal(target.logs.dir),
    }
    yield from ((field, path) for field, path in single.items() if path is not None)
