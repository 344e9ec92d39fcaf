"""Reads a rendered YAML file back the way its client does, with PyYAML, and refuses repeated keys."""

from __future__ import annotations

from typing import Any

import yaml

from mngen.checks.findings import Finding

_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def yaml_error(text: str) -> Finding | None:
    """Return the first fault of a YAML text, or ``None`` if it parses to one document without repeated keys."""
    try:
        root = yaml.compose(text, Loader=_Loader)
        if root is not None:
            twice = _repeated_key(root)
            if twice is not None:
                return twice
            yaml.load(text, Loader=_Loader)  # noqa: S506  # a subclass of the safe loader
    except yaml.MarkedYAMLError as error:
        # A lone word where a key should be is reported at the next token; the word itself is the better place.
        mark = error.context_mark if "simple key" in (error.context or "") else error.problem_mark
        return Finding(
            line=mark.line + 1 if mark else 1,
            column=mark.column + 1 if mark else 1,
            code="",
            level="error",
            message=error.problem or error.context or "not YAML",
        )
    except (yaml.YAMLError, ValueError) as error:
        return Finding(1, 1, "", "error", str(error).splitlines()[0])
    return None


def _repeated_key(root: yaml.Node) -> Finding | None:
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, yaml.SequenceNode):
            pending.extend(node.value)
        if not isinstance(node, yaml.MappingNode):
            continue
        seen: set[str] = set()
        for key, value in node.value:
            pending.append(value)
            if isinstance(key, yaml.ScalarNode) and key.value != "<<":
                if key.value in seen:
                    mark = key.start_mark
                    return Finding(mark.line + 1, mark.column + 1, "", "error", f"key `{key.value}` is given twice")
                seen.add(key.value)
    return None
