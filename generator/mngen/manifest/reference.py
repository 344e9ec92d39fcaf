"""The reference of the manifest, as Markdown made from its schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mngen.manifest import placeholders
from mngen.manifest.definitions import FILE_NAME, KINDS
from mngen.manifest.field_index import Field, fields
from mngen.manifest.job_variables import JOB_VARIABLES
from mngen.manifest.yaml_text import flow, yaml_text

_HEAD = f"""# The manifest, field by field

This page is made from [`schemas/{FILE_NAME}`](../schemas/{FILE_NAME}); change a
description there, then run `make docs`. An editor with a YAML language server shows the same words
while you type, once the manifest begins with

```yaml
# yaml-language-server: $schema=PATH/TO/{FILE_NAME}
```

`mngen schema` prints that file, and `mngen explain slurm.time` shows one field.

How to read it:

- A field of *text* takes every scalar by its spelling: `1e-6`, `0755`, `true` and `NO` stay as they are written.
  An empty value (`key:`, `~`, `null`) is an error everywhere.
- `NAME` stands for a name of your own, `[]` for each item of a list.
- Fields of the top level hold for every target. A target, its site file, an overlay and `--set` may override them:
  maps merge, everything else is replaced, and `driver.extra_args` adds up. Those that are *Top level only* are for the
  manifest, an overlay and `--set`.
- `${{{{ NAME }}}}` in text is replaced by what the [placeholder](#placeholders) stands for. `$${{{{` writes a literal
  `${{{{`.

The first line of a site file names the schema with `#/definitions/target-fields` after it, that of an overlay with
`#/definitions/overlay`.
"""


def markdown() -> str:
    """Return the whole page."""
    roots = [field for field in fields().values() if "." not in field.path]
    top = [field for field in roots if field.top]
    inside = [field for field in roots if not field.top]
    parts = [
        _HEAD,
        "## Placeholders\n",
        *_placeholders(),
        "",
        "## Variables of every job\n",
        *_variables(),
        "",
        "## Top level\n",
        *_table(top),
        "",
        "## Only in a target\n",
        *_table(inside),
    ]
    for field in roots:
        parts += ["", *_section(field)]
    return "\n".join(parts).rstrip() + "\n"


def _placeholders() -> Iterator[str]:
    yield "A field that is needed earlier than a name is known refuses it, and says so. What is known once the head is"
    yield "chosen may stand in `env`, `setup`, `preflight`, `prepare`, `services`, `cleanup`, `endpoint`, the words of"
    yield "the driver and the arguments of `ray start`, but not in names and in a service's `ready.http`; what is known"
    yield "on the node, also in `workdir`, `source` and `target` of `mounts`, `host_setup`, `env_files`,"
    yield "`container.options`, `container.prefix`, `image.sif`, `image.sqsh` and a secret's `file`.\n"
    yield "| name | known | what it is |"
    yield "| --- | --- | --- |"
    yield from (f"| `{one.name}` | {one.known} | {one.meaning} |" for one in placeholders.described())


def _variables() -> Iterator[str]:
    yield "Shell text may read these on every node. All but the last are exported before `setup`.\n"
    yield "| variable | what it is |"
    yield "| --- | --- |"
    yield from (f"| `{name}` | {meaning} |" for name, meaning in JOB_VARIABLES.items())


def _section(field: Field) -> Iterator[str]:
    yield f"## `{field.path}`\n"
    yield field.description
    places = _places(field)
    if places:
        yield f"\n{places}"
    yield from _facts(field)
    rows = list(_below(field))
    if rows:
        yield ""
        yield from _table(rows)
    for example in field.examples[:1]:
        yield f"\n```yaml\n{yaml_text({field.path: example})}\n```"


def _below(field: Field) -> Iterator[Field]:
    for path in field.children:
        child = fields()[path]
        if child.name != "NAME":
            yield child
        yield from _below(child)


def _places(field: Field) -> str:
    if not field.in_target:
        return "Top level only."
    where = "" if field.top else "In a target only. "
    return where + ("" if field.kinds == KINDS else f"Kinds: {', '.join(field.kinds)}.")


def _facts(field: Field) -> Iterator[str]:
    if field.children:
        return
    yield f"\nType: {field.type}.{_default(field)}"
    for choice, meaning in field.choices:
        yield f"- `{choice}`: {meaning}" if meaning else f"- `{choice}`"


def _default(field: Field) -> str:
    return "" if field.default is None else f" Default: `{shown(field.default)}`."


def _table(rows: Iterable[Field]) -> Iterator[str]:
    yield "| key | type | default | meaning |"
    yield "| --- | --- | --- | --- |"
    for field in rows:
        default = "required" if field.required else "" if field.default is None else f"`{shown(field.default)}`"
        cells = (_linked(field), field.type, default, _meaning(field))
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _linked(field: Field) -> str:
    return f"[`{field.path}`](#{field.path.lower()})" if "." not in field.path else f"`{field.path}`"


def _meaning(field: Field) -> str:
    """Return a description with the choices after it, on one line; examples only where there are no choices."""
    words = field.description
    if "." not in field.path:
        return words.split(". ")[0].rstrip(".") + "."
    if field.choices:
        words += (
            " "
            + "; ".join(f"`{choice}`: {meaning}" if meaning else f"`{choice}`" for choice, meaning in field.choices)
            + "."
        )
    elif field.examples and not field.children:
        words += f" Example: `{shown(field.examples[0])}`."
    return words


def shown(value: object) -> str:
    """Return a value as it stands after a key: text as it is, everything else as YAML on one line."""
    return value if isinstance(value, str) else flow(value)
