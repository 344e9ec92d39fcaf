"""Resolve the placeholders of one target's fields, with the phase rules of ``mngen.manifest.text``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from mngen.diagnostics import Diagnostic, Label, Severity, Span
from mngen.manifest.nearest import nearest
from mngen.manifest.node import Node, Scalar
from mngen.manifest.placeholders import CLUSTER_NAMES, KNOWN, NODE_NAMES, Placeholder, count_openings, locate, split
from mngen.manifest.text import Phase, Ref, Text

_INERT = re.compile(r"[A-Za-z0-9@%+=:,./_-]*")
"""What a POSIX shell takes as it is in every context, quoted or not."""

_PLACES = {
    Phase.NODE: "`env`, `setup`, `prepare`, `services` or `driver`",
    Phase.CLUSTER: "`prepare`, `services` or `driver`",
}

AUTO_PORT = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What the placeholders of one target can name; ``findings`` collects what is wrong with them.

    A text that cannot be resolved comes back as empty text after its finding, so that reading goes on.
    """

    values: Mapping[str, str]
    """Names known at render time: ``nodes``, ``gpus``, ``name``, … (see ``RENDER_NAMES``)."""
    variables: Mapping[str, Node] = field(default_factory=dict)
    """The manifest's ``vars``."""
    env: Mapping[str, Node] = field(default_factory=dict)
    """The target's own ``env``."""
    ports: Mapping[str, str | None] = field(default_factory=dict)
    """Services by name: a fixed port's digits, ``auto``, or ``None`` without a port."""
    lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Lines of each source file, to place findings inside a scalar."""
    findings: list[Diagnostic] = field(default_factory=list)
    _known: dict[str, Text | None] = field(default_factory=dict)
    """Variables and env names resolved so far; ``None`` for those with findings."""

    def fresh(self, **values: str) -> Scope:
        """Return a scope of the same names, and some more, without findings."""
        return replace(self, values={**self.values, **values}, findings=[], _known={})

    def report(self, code: str, message: str, span: Span | None, hint: str | None = None) -> None:
        """Add an error."""
        self.findings.append(Diagnostic(code, Severity.ERROR, message, span, hint))

    def warn_unexpanded(self, path: str, spelled: str, span: Span) -> None:
        """Warn that a shell's expansion in a command stays as written."""
        message = f"`{spelled}` in `{path}` reaches the program as written: no shell reads a command"
        hint = "write `${{ env.NAME }}` for a variable of the node, or single quotes if this text is meant"
        self.findings.append(Diagnostic("MN117", Severity.WARNING, message, span, hint))

    def text(self, node: Node, phase: Phase, field_name: str, *, inert: bool = False) -> Text:
        """Resolve a scalar's spelling for a field that accepts values up to ``phase``.

        ``inert`` marks script text, into which only values that a shell takes as they are may be spliced.
        """
        assert isinstance(node.value, Scalar)
        if field_name.startswith("env.") and self.env.get(field_name[4:]) is node:
            # Known under its name, so that it meets itself at once when it names itself: see `_lookup`.
            return self._named(field_name, node, phase, ()) or Text(("",))
        return self._resolve(node, node.value.spelling, _Use(phase, field_name, inert), ()) or Text(("",))

    def words(self, node: Node, words: list[str], phase: Phase, field_name: str) -> tuple[Text, ...]:
        """Resolve a scalar that was split into words."""
        found: list[Text] = []
        before = 0
        for word in words:
            use = _Use(phase, field_name, before=before)
            found.append(self._resolve(node, word, use, ()) or Text(("",)))
            before += count_openings(word)
        return tuple(found)

    def literal(self, node: Node, field_name: str) -> str:
        """Resolve a scalar of a field that must be known at render time."""
        return self.text(node, Phase.RENDER, field_name).literal or ""

    def check_variables(self) -> None:
        """Resolve every variable, so that faults in unused ones are found too."""
        for name in self.variables:
            self._named(f"vars.{name}", self.variables[name], Phase.RENDER, ())

    def _resolve(self, node: Node, spelling: str, use: _Use, stack: tuple[str, ...]) -> Text | None:
        parts: list[str | Ref] = []
        failed = False
        for part in split(spelling):
            if isinstance(part, str):
                parts.append(part)
                continue
            value = self._placeholder(node, part, use, stack)
            failed = failed or value is None
            parts.extend(value.parts if value else ())
        return None if failed else Text(_joined(parts))

    def _placeholder(self, node: Node, part: Placeholder, use: _Use, stack: tuple[str, ...]) -> Text | None:
        span = locate(node, use.before + part.index, self.lines.get(node.span.file, ()))
        if part.name is None:
            self._bad_syntax(part, span)
            return None
        found = self._lookup(part.name, span, stack)
        if found is None:
            return None
        late = max((phase_of(ref) for ref in found.refs), default=Phase.RENDER)
        if late > use.phase:
            self._too_late(part.name, found, use, span)
            return None
        literal = found.literal
        if use.inert and literal is not None and not _INERT.fullmatch(literal):
            how = (
                f'write "${part.name[4:]}"'
                if part.name.startswith("env.")
                else 'pass it through `env` and write "$NAME"'
            )
            message = f"the value of `{part.name}` holds characters that a shell reads: {literal!r}"
            self.report("MN116", message, span, f"in shell text {how}")
            return None
        return found

    def _lookup(self, name: str, span: Span, stack: tuple[str, ...]) -> Text | None:
        """Return what a name stands for; an empty text is a value, ``None`` follows a finding."""
        head, _, rest = name.partition(".")
        if name in self.values:
            return Text((self.values[name],))
        if name in NODE_NAMES or name in CLUSTER_NAMES:
            return Text((Ref(name),))
        if head == "vars" and rest in self.variables:
            return self._checked(name, self.variables[rest], Phase.RENDER, span, stack)
        if head == "env" and rest and "." not in rest:
            # `PATH: /opt/bin:${{ env.PATH }}` means the node's own value, not itself.
            own = None if stack and stack[-1] == name else self.env.get(rest)
            return Text((Ref(name),)) if own is None else self._checked(name, own, Phase.NODE, span, stack)
        return self._port(name, span)

    def _port(self, name: str, span: Span) -> Text | None:
        service = name.removeprefix("services.").removesuffix(".port")
        port = self.ports.get(service) if name == f"services.{service}.port" else None
        if port is not None:
            return Text((Ref(name) if port == AUTO_PORT else port,))
        self._unknown(name, service if service in self.ports else None, span)
        return None

    def _checked(self, name: str, node: Node, phase: Phase, span: Span, stack: tuple[str, ...]) -> Text | None:
        if name in stack:
            chain = " -> ".join([*stack[stack.index(name) :], name])
            label = Label(node.span, f"`{name}` is defined here")
            message = f"placeholders go in a circle: {chain}"
            self.findings.append(Diagnostic("MN110", Severity.ERROR, message, span, "write one of them out", (label,)))
            return None
        return self._named(name, node, phase, stack)

    def _named(self, name: str, node: Node, phase: Phase, stack: tuple[str, ...]) -> Text | None:
        if name not in self._known:
            if not isinstance(node.value, Scalar) or (node.value.value is None and not node.value.quoted):
                self._known[name] = None  # reported where the field itself is read
            else:
                # Set only afterwards: a circle must come back here to be seen.
                self._known[name] = self._resolve(node, node.value.spelling, _Use(phase, name), (*stack, name))
        return self._known[name]

    def _bad_syntax(self, part: Placeholder, span: Span) -> None:
        if not part.closed:
            message, hint = "`${{` has no `}}` on its line", "close it, or write `$${{` for a literal `${{`"
        else:
            message = f"`{part.spelling}` holds no name"
            hint = "a placeholder is one name, without operators: `${{ nodes }}`; `$${{` writes a literal `${{`"
        self.report("MN110", message, span, hint)

    def _too_late(self, name: str, found: Text, use: _Use, span: Span) -> None:
        late = next(ref for ref in found.refs if phase_of(ref) > use.phase)
        via = "" if late == name else f" (through `{late}`)"
        message = (
            f"`{name}` is known {KNOWN[phase_of(late)]}{via}, too late for `{use.field}`, "
            f"which is needed {KNOWN[use.phase]}"
        )
        if late.startswith("env."):
            hint = f"define `{late[4:]}` in `env`, or use a name from `vars`"
        else:
            hint = f"use it where it is known, such as {_PLACES[phase_of(late)]}"
        self.report("MN109", message, span, hint)

    def _unknown(self, name: str, portless: str | None, span: Span) -> None:
        if portless is not None:
            hint = f"give service `{portless}` a port: `port: auto`"
            self.report(
                "MN108", f"service `{portless}` has no port" if name.endswith(".port") else _no(name), span, hint
            )
            return
        names = [*self.values, *NODE_NAMES, *CLUSTER_NAMES, *(f"vars.{v}" for v in self.variables)]
        names += [f"env.{e}" for e in self.env] + [f"services.{s}.port" for s in self.ports]
        near = nearest(name, names) or nearest(f"vars.{name}", names)
        known = f"names are {', '.join(names[:9])}, env.NAME" if not name.startswith("vars.") else "add it to `vars`"
        self.report("MN108", _no(name), span, f"did you mean `{near}`?" if near else known)


@dataclass(frozen=True, slots=True)
class _Use:
    """The field that a text is for."""

    phase: Phase
    field: str
    inert: bool = False
    before: int = 0
    """Placeholders of the same scalar that come before this text."""


def phase_of(ref: str) -> Phase:
    """Return when the value of a placeholder that is left for run time is known."""
    return Phase.CLUSTER if ref in CLUSTER_NAMES or ref.startswith("services.") else Phase.NODE


def _no(name: str) -> str:
    return f"there is no placeholder `{name}`"


def _joined(parts: list[str | Ref]) -> tuple[str | Ref, ...]:
    """Join neighbouring literals and drop empty ones."""
    joined: list[str | Ref] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "":
            joined.append(part)
    return tuple(joined) or ("",)
