"""Fill templates: a plan in, a tree of rendered files out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mngen.plan import Plan, PlannedFile, RenderedFile, RenderedTree
from mngen.render.environment import environment


def _variables(context: Any) -> dict[str, Any]:
    if isinstance(context, Mapping):
        return dict(context)
    return {name: getattr(context, name) for name in context.__struct_fields__}


def render_file(planned: PlannedFile) -> RenderedFile:
    """Render one file; the text ends in exactly one newline and has no blank at a line's end."""
    template = environment(planned.language).get_template(planned.template)
    text = template.render(_variables(planned.context))
    return RenderedFile(
        path=planned.path,
        text=text.rstrip("\n") + "\n",
        language=planned.language,
        mode=planned.mode,
        user_texts=planned.user_texts,
        group=planned.group,
    )


def render(plan: Plan, *, digest: str) -> RenderedTree:
    """Render every file of a plan; ``digest`` identifies the manifest's effective input."""
    return RenderedTree(
        name=plan.name,
        files=tuple(render_file(planned) for planned in plan.files),
        groups=plan.groups,
        manifest_digest=digest,
    )
