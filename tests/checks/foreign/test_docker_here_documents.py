"""hadolint reads few of BuildKit's here-documents; a Dockerfile with the others is none with an error."""

from __future__ import annotations

import pytest

from mngen.checks.foreign import check_foreign
from mngen.checks.foreign.instructions import instructions
from mngen.diagnostics import Diagnostic, Severity

FROM = "FROM ubuntu:24.04\n"
AFTER = "RUN cd /x\n"

# forms that hadolint reads once they are written as it wants them
READ = {
    "alone": "RUN <<EOF\necho a\nEOF\n",
    "no lines": "RUN <<EOF\nEOF\n",
    "empty lines": "RUN <<EOF\n\necho a\n\nEOF\n",
    "a file": "COPY <<EOF /etc/a\nx\nEOF\n",
    "flags": "COPY --chown=a:b <<'EOF' /etc/a\nx\nEOF\n",
    "an interpreter": "RUN --mount=type=cache,target=/x <<EOF bash\necho a\nEOF\n",
    "tabs": 'RUN <<-"X" bash\n\techo x\n\tX\n',
    "tabs in a file": "COPY <<-X /etc/a\n\tx\n\t\tX\n",
    "two files": "COPY <<A <<B /etc/\nx\nA\ny\nB\n",
    "two of different kinds": "COPY <<A <<-B /etc/\nx\nA\n\ty\n\tB\n",
    "in a command": "RUN true && \\\n  cat <<EOF >a\nx\nEOF\n",
    "continued": "RUN cat <<EOF >a && \\\n  true\nx\nEOF\n",
    "another word": "RUN <<END-OF.IT\ntrue\nEND-OF.IT\n",
    "one after the other": "RUN <<EOF\ntrue\nEOF\nCOPY <<EOF /a\nx\nEOF\nCOPY <<-EOF /b\n\tx\n\tEOF\n",
    "a comment below": "RUN <<EOF\ntrue\nEOF\n# words\n",
}
# forms that it does not read
UNREAD = {
    "two in a command": "RUN cat <<X >a && cat <<Y >b\necho x\nX\ny\nY\n",
    "added": "ADD <<EOF /etc/a\nx\nEOF\n",
}


def linted(text: str) -> list[Diagnostic]:
    return [item for item in check_foreign(text, "Dockerfile") if item.code[:2] in {"DL", "SC"}]


@pytest.mark.parametrize("what", READ)
def test_rules_hold_around_a_here_document(what: str) -> None:
    for gap in ("", "\n"):
        text = FROM + AFTER + READ[what] + gap + AFTER
        places = [item.span.line for item in linted(text) if item.code == "DL3003"]
        assert places == [2, text.count("\n")]
        assert {item.severity for item in linted(text)} <= {Severity.WARNING, Severity.NOTE}


@pytest.mark.parametrize("what", READ)
def test_comments_for_hadolint_hold_below_a_here_document(what: str) -> None:
    text = FROM + READ[what] + "# hadolint ignore=DL3003\n" + AFTER
    assert {item.code for item in linted(text)} & {"DL3003", "DL1000"} == set()


@pytest.mark.parametrize("what", UNREAD)
def test_what_hadolint_cannot_read_is_a_note(what: str) -> None:
    [item] = linted(FROM + AFTER + UNREAD[what] + AFTER)
    assert (item.code, item.severity) == ("DL1000", Severity.NOTE)
    assert "here-documents" in item.message
    assert "unexpected" in item.message
    assert "\n" not in item.message
    assert item.hint is not None
    assert item.span is not None
    assert item.span.line > 2


@pytest.mark.parametrize("what", UNREAD)
def test_own_rules_hold_all_the_same(what: str) -> None:
    text = FROM + UNREAD[what] + "RUN pip install -no-deps x\n"
    assert ("MN703", text.count("\n")) in [(item.code, item.span.line) for item in check_foreign(text, "Dockerfile")]


@pytest.mark.parametrize(
    "text",
    [
        f"FORM ubuntu\n{AFTER}",
        f"{FROM}CPOY a b\nRUN <<EOF\ntrue\nEOF\n{AFTER}",
        f"{FROM}RUN cat <<<word\nCPOY a b\n",
        f"{FROM}RUN echo $((1<<n)) '<<EOF'\nCPOY a b\n",
        f"{FROM}RUN cat << EOF >a\nx\nEOF\n",
    ],
)
def test_another_error_stays_one(text: str) -> None:
    assert [(item.code, item.severity) for item in linted(text)] == [("DL1000", Severity.ERROR)]


# an instruction: the lines of its end words
ENDS = {
    "RUN <<EOF\ntrue\nEOF": (3,),
    "COPY <<A <<-'B' /x\na\nA\nb\n\tB": (3, 5),
    "RUN true \\\n && 3<<EOF cat\nx\nEOF": (4,),
    'RUN echo "it\'s" <<"E-F"\nx\nE-F': (3,),
    "RUN cat <<<word": (),
    "RUN echo $((1<<n)) $((1 << n))": (),
    "RUN echo 'a <<EOF b' \"c \\\" <<EOF d\" \\' <\\<EOF": (),
    "RUN cat<<EOF": (),
    "ENV A=1 B=<<EOF": (),
    "LABEL a= <<EOF": (),
    "ONBUILD RUN <<EOF\nx\nEOF": (3,),
}


@pytest.mark.parametrize("text", ENDS)
def test_the_reader_knows_what_buildkit_takes_for_a_here_document(text: str) -> None:
    first, second = instructions(f"{text}\nUSER x\n")
    assert first.ends == ENDS[text]
    assert (second.word, second.line) == ("USER", text.count("\n") + 2)


@pytest.mark.parametrize("word", ["EOF", "'EOF'", '"END-OF.IT"', "1"])
def test_what_stands_in_a_here_document_is_judged(word: str) -> None:
    text = FROM + f"RUN <<-{word}\n\ttrue\n\tpip install -no-deps x\n\t{word.strip(chr(34) + chr(39))}\n{AFTER}"
    assert ("MN703", 4) in [(item.code, item.span.line) for item in check_foreign(text, "Dockerfile", lint=False)]
