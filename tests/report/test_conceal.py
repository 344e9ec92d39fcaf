"""No form of report shows a secret that somebody typed into a file."""

from __future__ import annotations

import pytest

from mngen.cli.reporting import Findings, Report
from mngen.cli.ui import Ui
from mngen.diagnostics import Diagnostic, Label, Severity, Span
from mngen.report.conceal import conceal

HIDDEN = {
    "HF_TOKEN: hunter2": "HF_TOKEN: *******",
    "env: {WANDB_API_KEY: hunter2, A: b}": "env: {WANDB_API_KEY: *******, A: b}",
    "env: {'DB_PASSWORD': \"hunter 2, really\"}": "env: {'DB_PASSWORD': \"****************\"}",
    "  password: correct horse  # mine": "  password: *************  # mine",
    "secrets: {A: hunter2, B: {value: hunter2}, C: {file: /run/c}}, env: {D: e}": (
        "secrets: {A: *******, B: {value: *******}, C: {file: /run/c}}, env: {D: e}"
    ),
    "  cluster: {kind: slurm, secrets: {A: hunter2}, runtime: docker}": (
        "  cluster: {kind: slurm, secrets: {A: *******}, runtime: docker}"
    ),
    "db_credent\N{LATIN SMALL LETTER DOTLESS I}als=hunter2": "db_credent\N{LATIN SMALL LETTER DOTLESS I}als=*******",
    "MY_TO\N{KELVIN SIGN}EN: hunter2": "MY_TO\N{KELVIN SIGN}EN: *******",
    "secrets: [A=hunter2, B]": "secrets: [A=*******, B]",
    "env.HF_TOKEN=hunter2": "env.HF_TOKEN=*******",
    "targets.a.secrets.NAME=hunter2": "targets.a.secrets.NAME=*******",
    "secrets.NAME.value=hunter2": "secrets.NAME.value=*******",
    "export WANDB_API_KEY='hunter2' OTHER=x": "export WANDB_API_KEY='*******' OTHER=x",
    "args: [--api-key, x, --token hunter2, --hub_token=hunter2]": (
        "args: [--api-key, x, --token *******, --hub_token=*******]"
    ),
    'export DB_PASSWORD="${DB_PASSWORD:-hunter2}" B=${B:-hunter2}': (
        'export DB_PASSWORD="${DB_PASSWORD:-*******}" B=${B:-hunter2}'
    ),
    f"wandb login --relogin {'0a' * 20}": f"wandb login --relogin {'*' * 40}",
    "url: https://user:hunter2@host/x": "url: https://************@host/x",
    "x: ghp_0123456789abcdefghijklmnopqrstuvwxyz": "x: ****************************************",
}
SHOWN = (
    "secrets: {WANDB_API_KEY: {}, HF_TOKEN: {required: false}, K: {file: /run/key}}",
    "secrets: [WANDB_API_KEY]",
    "env: {TOKENIZERS_PARALLELISM: false, max_token: 4096, HF_TOKEN: true}",
    "  - data.tokenizer=/models/x",
    'args: ["--key=${{ env.WANDB_API_KEY }}"]',
    "export HF_TOKEN=$OTHER A_TOKEN=${A_TOKEN:-$OTHER} B_TOKEN=${B_TOKEN:?hunter2}",
    "gcs_token: ",
    "x.secrets.y",
)


def at(line: str, number: int = 1) -> Diagnostic:
    return Diagnostic("MN103", Severity.ERROR, f"`x` is the text `{line}`", Span("f", number, 1))


@pytest.mark.parametrize("line", [*HIDDEN, *SHOWN])
def test_a_line(line) -> None:
    _, sources = conceal([at("")], {"f": [line]})
    assert sources["f"] == [HIDDEN.get(line, line)]


def test_what_stands_below_secrets_and_in_a_block() -> None:
    lines = [
        "secrets:",
        "  A: hunter2",
        "",
        "  B:",
        "    value: hunter2",
        "    required: false",
        "env:",
        "  SSH_PRIVATE_KEY: |",
        "    hunter2",
        "    hunter2 too",
        "  B: hello",
    ]
    _, sources = conceal([at("")], {"f": lines})
    assert "hunter2" not in "".join(sources["f"])
    assert [line for line in sources["f"] if "*" not in line] == [lines[i] for i in (0, 2, 3, 5, 6, 7, 10)]


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
@pytest.mark.parametrize("secret", ["hunter2", "a\\b", "x" * 100, "pw"])
def test_no_form_tells_it(capfd, form, secret) -> None:
    label = Label(Span("f", 2, 1), f"set to {secret!r} here" if len(secret) > 3 else f"set to `{secret}` here")
    found = Findings()
    finding = Diagnostic(
        "MN103", Severity.ERROR, f"`x` is `{secret[:60]}`", Span("f", 1, 1), f"not '{secret}'", (label,)
    )
    found.add([finding], {"f": [f"A_TOKEN: {secret}", f"secrets: {{B: {secret}}}"], "g": [secret]})
    Report(Ui(color="never"), form).emit(found)
    out, err = capfd.readouterr()
    assert "***" in out + err
    assert secret[:60] not in (out + err).replace("\\\\", "\\")
