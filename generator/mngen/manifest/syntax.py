"""Say what a YAML syntax error most likely means (MN100; MN107 for tabs)."""

from __future__ import annotations

import re

import yaml

from mngen.diagnostics import Diagnostic, Label, Severity, Span

MOST_DEPTH = 40
"""Levels of maps and lists; the deepest field of a manifest needs seven."""
_QUOTE = "put the value in quotes, or use a `|` block"
_VARIABLE = r"""(?<![^\s{,:\["'])([^\s{,:\["']*)\$\{([A-Za-z_][A-Za-z0-9_]*)\}([^\s,}\]"']*)"""
"""A text with a shell's variable in braces."""

_HINTS = (
    ("mapping values are not allowed", f"a value that holds `: ` reads as a map: {_QUOTE}"),
    ("found unexpected end of stream", "a quote that was opened here is not closed"),
    ("found unexpected document indicator", "a quote that was opened here is not closed"),
    ("could not find expected ':'", "is a `:` missing after the key, or is the indentation off?"),
    ("did not find expected ',' or '", f"a bracket is not closed, or a value inside it holds `,`, `[`, `{{`: {_QUOTE}"),
    ("expected ',' or '", f"a bracket is not closed, or a value inside it holds `,`, `[`, `{{`: {_QUOTE}"),
    ("alphabetic or numeric character", f"`*` and `&` at the start of a value are YAML's own: {_QUOTE}"),
    ("did not find expected whitespace", f"`*` and `&` at the start of a value are YAML's own: {_QUOTE}"),
    ("did not find expected key", "the line is indented otherwise than its neighbours, or a quote ends too early"),
    ("expected <block end>", "the line is indented otherwise than its neighbours, or a quote ends too early"),
    ("did not find expected '-' indicator", "list items start with `- `, all at one indentation"),
    ("unknown escape character", "in double quotes a backslash starts an escape: use single quotes"),
    ("invalid Unicode character escape", "write the character itself, or by one code for the whole, as in \\U0001F600"),
    ("did not find URI escaped octet", f"`%` and `!` at the start of a value are YAML's own: {_QUOTE}"),
    ("undefined tag handle", f"`!` at the start of a value is YAML's own: {_QUOTE}"),
    ("did not find expected tag URI", f"`!` at the start of a value is YAML's own: {_QUOTE}"),
    ("block sequence entries are not allowed", "a list starts on its own line below the key"),
)


def syntax_finding(error: Exception, file: str, lines: tuple[str, ...]) -> Diagnostic:
    """Turn what PyYAML raised into a finding with a place and a hint."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return Diagnostic("MN100", Severity.ERROR, f"not valid YAML: {error}", Span(file, 1, 1), _QUOTE)
    mark = error.problem_mark or error.context_mark
    span = _span(mark, file, lines)
    problem = error.problem or error.context or "unreadable"
    line = lines[mark.line] if mark is not None and mark.line < len(lines) else ""
    if _is_tab(problem, line, mark):
        return tab_finding(span)
    if "maximum nesting depth" in problem:
        return too_deep(span)
    labels: tuple[Label, ...] = ()
    if error.context and error.context_mark is not None and error.context_mark.line != (mark.line if mark else -1):
        labels = (Label(_span(error.context_mark, file, lines), error.context),)
    if labels and ("quoted" in labels[0].text):
        # The end of the file says little; the quote that was opened is what to look at.
        span, labels = labels[0].span, ()
    another = "not find expected" in problem or problem.startswith("expected")
    hint = (_open_quote(error, lines) if another else None) or _hint(problem, line, mark)
    return Diagnostic("MN100", Severity.ERROR, f"not valid YAML: {problem}", span, hint, labels)


def too_deep(span: Span) -> Diagnostic:
    """Return the finding for maps and lists inside each other; libyaml stops at a depth of its own, beyond ours."""
    message = f"nested more than {MOST_DEPTH} levels deep"
    return Diagnostic("MN107", Severity.ERROR, message, span, "write it flatter")


def tab_finding(span: Span) -> Diagnostic:
    """Return the finding for a tab as indentation."""
    return Diagnostic("MN107", Severity.ERROR, "a tab stands where only blanks may", span, "indent with blanks")


def _open_quote(error: yaml.MarkedYAMLError, lines: tuple[str, ...]) -> str | None:
    """Return a hint where text goes on right behind a quote: it ended a text whose own closing quote is missing."""
    mark, since = error.problem_mark, error.context_mark
    if mark is None or not 0 < mark.column < len(lines[mark.line] if mark.line < len(lines) else ""):
        return None
    quote = lines[mark.line][mark.column - 1]
    if quote not in "'\"" or lines[mark.line][mark.column] in " \t":
        return None
    first = since.line if since is not None else mark.line
    opened = next((number for number in range(first, mark.line) if lines[number].count(quote) % 2), None)
    if opened is not None:
        return f"a quote that was opened in line {opened + 1} is not closed there, and ends here"
    return f"a quoted text ends at the {quote} before this: is an earlier quote not closed, or one inside the text?"


def _hint(problem: str, line: str, mark: yaml.Mark | None) -> str | None:
    if "cannot start any token" in problem and mark is not None and mark.column < len(line):
        return f"`{line[mark.column]}` cannot start a value: {_QUOTE}"
    if "${{" in line and ("expected" in problem or "not find" in problem):
        return "inside `[ ]` and `{ }` a value with `${{ … }}` must be in quotes"
    if ("expected" in problem or "not find" in problem) and (found := re.search(_VARIABLE, line)):
        written = f"{found[1]}${{{{ env.{found[2]} }}}}{found[3]}"
        return f'no shell reads a value, and `{{` must be in quotes: write "{written}"'
    return next((hint for part, hint in _HINTS if part in problem), _QUOTE)


def _is_tab(problem: str, line: str, mark: yaml.Mark | None) -> bool:
    if mark is not None and line[mark.column : mark.column + 1] == "\t" and "cannot start" in problem:
        return True
    blank = line[: len(line) - len(line.lstrip(" \t"))]
    return "\t" in blank and ("tab" in problem or mark is None or mark.column <= len(blank))


def _span(mark: yaml.Mark | None, file: str, lines: tuple[str, ...]) -> Span:
    """Return the place of a mark; past the end of the file, its last line."""
    if mark is None:
        return Span(file, 1, 1)
    if mark.line >= len(lines):
        return Span(file, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 2)
    return Span(file, mark.line + 1, mark.column + 1, mark.line + 1, mark.column + 2)
