"""Resolve the placeholders of one target's fields, with the phase rules of ``mngen.manifest.text``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct, field

from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.manifest import placeholder_findings as complain
from mngen.manifest.continuations import lost
from mngen.manifest.node import Node, Scalar
from mngen.manifest.placeholders import CLUSTER_NAMES, NODE_NAMES, Placeholder, count_openings, locate, phase_of, split
from mngen.manifest.text import Phase, Ref, Text

_INERT = re.compile(r"[A-Za-z0-9@%+=:,./_-]*")
"""What a POSIX shell takes as it is in every context, quoted or not."""

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""What a shell takes for a name, and for no operator behind one: ``${A-b}`` is something else."""

MOST_STEPS = 30
"""Variables that name each other in a row; more is taken for a circle."""

MOST_TEXT = 1_000_000
"""Characters of one value: variables that double each other would fill any memory."""

AUTO_PORT = "auto"

Place: TypeAlias = Callable[[], Span]
"""Finds a placeholder in its file, which only a finding needs."""


class Scope(Struct, frozen=True, kw_only=True):
    """What the placeholders of one target can name; ``findings`` collects what is wrong with them.

    A text that cannot be resolved comes back as empty text after its finding, so that reading goes on.
    """

    values: Mapping[str, str]
    """Names known at render time, with their values."""
    variables: Mapping[str, Node] = field(default_factory=dict)
    """The target's ``vars``."""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Placeholders of the ``vars`` of all targets, each with the first target that has it."""
    env: Mapping[str, Node] = field(default_factory=dict)
    """The target's own ``env``."""
    secrets: frozenset[str] = frozenset()
    """Names of the target's secrets."""
    ports: Mapping[str, str | None] = field(default_factory=dict)
    """Services by name: a fixed port's digits, ``auto``, or ``None`` without a port."""
    lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Lines of each source file, to place findings inside a scalar."""
    beyond_ray: frozenset[str] = frozenset()
    """Counts of GPUs that are more than Ray has, because services take some or the head keeps them back."""
    findings: list[Diagnostic] = field(default_factory=list)
    _known: dict[str, Text | None] = field(default_factory=dict)
    """Variables and env names resolved so far; ``None`` for those with findings."""
    _counts: dict[str, str] = field(default_factory=dict)
    """Which of ``beyond_ray`` is in such a variable."""

    def fresh(self, **values: str) -> Scope:
        """Return a scope of the same names, and some more, without findings."""
        return Scope(
            values={**self.values, **values},
            variables=self.variables,
            elsewhere=self.elsewhere,
            env=self.env,
            secrets=self.secrets,
            ports=self.ports,
            lines=self.lines,
            beyond_ray=self.beyond_ray,
        )

    def report(self, code: str, message: str, span: Span | None, hint: str | None = None) -> None:
        """Add an error."""
        self.findings.append(Diagnostic(code, Severity.ERROR, message, span, hint))

    def warn_unexpanded(self, path: str, spelled: Sequence[str], span: Span) -> None:
        """Warn that a shell's expansions in a command stay as written."""
        verb = "reaches" if len(spelled) == 1 else "reach"
        named = ", ".join(f"`{one}`" for one in spelled)
        message = f"{named} in `{path}` {verb} the program as written: no shell reads a command"
        mends = {
            "~": "`${{ env.HOME }}` for the home",
            "$": "`${{ env.NAME }}` for a variable of the node",
            "$(": "`[bash, -c, '...']` for what a shell is to run",
        }
        wanted = dict.fromkeys(mends["$(" if one == "$(" else one[0]] for one in spelled)
        hint = f"write {', '.join(wanted)}, or single quotes if this text is meant"
        self.findings.append(Diagnostic("MN117", Severity.WARNING, message, span, hint))

    def refuse_joined(self, path: str, node: Node, *, words: bool = False) -> None:
        """Refuse a text in which a backslash was to join lines that YAML has joined already."""
        found = lost(path, node, self.lines.get(node.span.file, ()), words=words)
        if found is not None:
            self.report("MN122", found[0], node.span, found[1])

    def warn_cut(self, path: str, node: Node) -> None:
        """Warn where YAML takes the rest of an unquoted text's line for a comment, inside the text's own quotes."""
        if not isinstance(node.value, Scalar) or node.value.quoted:
            return
        spelled, span = node.value.spelling, node.span
        if not spelled.count("'") % 2 and not spelled.count('"') % 2:
            return
        lines = self.lines.get(span.file, ())
        if not 0 < (span.end_line or 0) <= len(lines):
            return
        rest = lines[(span.end_line or 1) - 1][(span.end_column or 1) - 1 :]
        if rest[:1].isspace() and rest.lstrip().startswith("#"):
            message = f"`{path}` ends before `{rest.strip()}`: in YAML, ` #` begins a comment unless the text is quoted"
            hint = "put the whole text in quotes, or use a `|` block"
            self.findings.append(Diagnostic("MN119", Severity.WARNING, message, span, hint))

    def text(self, node: Node, phase: Phase, field_name: str, *, inert: bool = False) -> Text:
        """Resolve a scalar's spelling for a field that accepts values up to ``phase``.

        ``inert`` marks script text, into which only values that a shell takes as they are may be spliced.
        """
        assert isinstance(node.value, Scalar)
        if "${{" not in node.value.spelling:
            return Text((node.value.spelling,))
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
            if sum(len(one) for one in parts if isinstance(one, str)) > MOST_TEXT:
                self.findings.append(complain.too_long(MOST_TEXT, node.span))
                return None
        return None if failed else Text(_joined(parts))

    def _placeholder(self, node: Node, part: Placeholder, use: _Use, stack: tuple[str, ...]) -> Text | None:
        place = partial(locate, node, use.before + part.index, self.lines.get(node.span.file, ()))
        if part.name is None:
            self.findings.append(complain.bad_syntax(part, place()))
            return None
        found = self._lookup(part.name, place, stack)
        if found is None:
            return None
        if part.default is not None and found.parts == (Ref(part.name),):
            found = Text((Ref(part.name, part.default),))
        late = next((ref for ref in found.refs if phase_of(ref) > use.phase), None)
        literal = found.literal
        if late is not None:
            self.findings.append(self._too_late(part.name, late, use, place()))
        elif use.inert and literal is not None and not _INERT.fullmatch(literal):
            self.findings.append(complain.unsafe(part.name, literal, place()))
        else:
            self._note_count(part.name, use.field, place)
            return found
        return None

    def _too_late(self, name: str, late: str, use: _Use, span: Span) -> Diagnostic:
        secret = late.startswith("env.") and late[4:] in self.secrets
        return complain.too_late(name, late, (use.field, use.phase), span, secret=secret)

    def _note_count(self, name: str, field_name: str, place: Place) -> None:
        """Tell of a driver's count that is more than Ray has, also where it comes by way of a variable."""
        count = name if name in self.beyond_ray else self._counts.get(name)
        if count is None:
            return
        if field_name.startswith(("driver.", "resume.")):
            self.findings.append(complain.beyond_ray(name, count, self.values, place()))
        else:
            self._counts[field_name] = count

    def _lookup(self, name: str, place: Place, stack: tuple[str, ...]) -> Text | None:
        """Return what a name stands for; an empty text is a value, ``None`` follows a finding."""
        head, _, rest = name.partition(".")
        if name in self.values:
            return Text((self.values[name],))
        if name in NODE_NAMES or name in CLUSTER_NAMES:
            return Text((Ref(name),))
        if head == "vars" and rest in self.variables:
            return self._checked(name, self.variables[rest], Phase.RENDER, place, stack)
        if head == "env" and _VARIABLE.fullmatch(rest):
            # `PATH: /opt/bin:${{ env.PATH }}` means the node's own value, not itself.
            own = None if stack and stack[-1] == name else self.env.get(rest)
            return Text((Ref(name),)) if own is None else self._checked(name, own, Phase.CLUSTER, place, stack)
        return self._port(name, place)

    def _port(self, name: str, place: Place) -> Text | None:
        service = name.removeprefix("services.").removesuffix(".port")
        port = self.ports.get(service) if name == f"services.{service}.port" else None
        if port is not None:
            return Text((Ref(name) if port == AUTO_PORT else port,))
        if service in self.ports and name.endswith(".port"):
            self.findings.append(complain.no_port(service, place()))
            return None
        names = [*self.values, *NODE_NAMES, *CLUSTER_NAMES, *(f"vars.{one}" for one in self.variables)]
        names += [f"env.{one}" for one in self.env] + [f"services.{one}.port" for one in self.ports]
        other = self.elsewhere.get(name)
        target = self.values.get("target", "")
        self.findings.append(
            complain.of_another(name, other, target, place()) if other else complain.unknown(name, names, place())
        )
        return None

    def _checked(self, name: str, node: Node, phase: Phase, place: Place, stack: tuple[str, ...]) -> Text | None:
        if name in stack or len(stack) >= MOST_STEPS:
            self.findings.append(complain.circle(name, stack, node, place()))
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


class _Use(Struct, frozen=True):
    """The field that a text is for."""

    phase: Phase
    field: str
    inert: bool = False
    before: int = 0
    """Placeholders of the same scalar that come before this text."""


def _joined(parts: list[str | Ref]) -> tuple[str | Ref, ...]:
    """Join neighbouring literals and drop empty ones."""
    joined: list[str | Ref] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "":
            joined.append(part)
    return tuple(joined) or ("",)
