"""Reads a rendered YAML file back the way its client does, with PyYAML, and refuses repeated keys."""

from __future__ import annotations

from typing import Any

import yaml

from mngen.checks.findings import Finding

REPEATED = "repeated"
"""The code of a finding about a key that is given twice: the file parses all the same."""
_DEEPEST = 100
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def yaml_error(text: str) -> Finding | None:
    """Return the first fault of a YAML text, or ``None`` if it parses to one document without repeated keys.

    The code of the finding is left empty, but for :data:`REPEATED`.
    """
    try:
        if _too_deep(text):
            return Finding(1, 1, "", "error", f"more than {_DEEPEST} levels of nesting")
        root = yaml.compose(text, Loader=_Loader)
        if root is not None:
            twice = _repeated_key(root)
            if twice is not None:
                return twice
            _Loader(text).get_single_data()
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


def _too_deep(text: str) -> bool:
    """Tell whether a text nests so deep that building its values could exhaust the stack."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            return True
    return False


def _repeated_key(root: yaml.Node) -> Finding | None:
    pending = [root]
    done: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in done:  # an anchor that is used again, perhaps inside itself
            continue
        done.add(id(node))
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
                    return Finding(
                        mark.line + 1, mark.column + 1, REPEATED, "error", f"key `{key.value}` is given twice"
                    )
                seen.add(key.value)
    return None
