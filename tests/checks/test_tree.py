from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from mngen.checks import programs
from mngen.checks.hadolint import IGNORED
from mngen.checks.sbatch_text import parsed_directives
from mngen.checks.tree import CheckOptions, check_tree
from mngen.checks.yaml_syntax import yaml_error
from mngen.diagnostics import Severity, Span
from mngen.errors import EnvironmentFailure
from mngen.plan import Language, RenderedFile, UserText

CLEAN = '#!/usr/bin/env bash\nset -euo pipefail\nprintf "%s\\n" "$1"\n'


def bash(text: str, *texts: UserText, path: str = "pod/job.sbatch") -> RenderedFile:
    return RenderedFile(path=path, text=text, language=Language.BASH, user_texts=texts)


def check(*files: RenderedFile, **options: bool):
    return check_tree(files, CheckOptions(**options))


def test_clean_files_have_no_findings() -> None:
    dockerfile = RenderedFile(
        path="images/cuda/Dockerfile", text='FROM ubuntu:24.04\nCMD ["true"]\n', language=Language.DOCKERFILE
    )
    task = RenderedFile(path="gcp/task.sky.yaml", text="name: x\nrun: |\n  true\n", language=Language.YAML)
    assert check(bash(CLEAN), dockerfile, task) == []


def test_no_files() -> None:
    assert check() == []


def test_generated_text_that_bash_refuses_is_our_fault() -> None:
    found = next(f for f in check(bash("#!/bin/bash\nif true; then\n")) if f.code == "MN401")
    assert (found.code, found.severity, found.span.line) == ("MN401", Severity.ERROR, 3)
    assert "fault of mngen" in found.hint


def test_files_of_one_text_have_their_findings_each() -> None:
    """One process reads a text once, whatever stands in the comments above it."""
    wrong = [f"#!/bin/bash\n{comment}if true; then\n#SBATCH -N1\n" for comment in ("# a\n", "# b\n", "", "# a\n")]
    scripts = [bash(text, path=f"{number}/job.sbatch") for number, text in enumerate(wrong)]
    found = {(f.code, f.span.file, f.span.line) for f in check(*scripts)}
    ends = {(scripts[number].path, 5 - (number == 2)) for number in range(4)}
    assert {("MN401", *end) for end in ends} < found
    assert {("MN403", path, line - 1) for path, line in ends} < found
    assert {file for code, file, _ in found if code.startswith("SC")} == {script.path for script in scripts}
    images = [RenderedFile(path=name, text="FROM x\nRUN cd /opt\n", language=Language.DOCKERFILE) for name in "ab"]
    assert {f.span.file for f in check(*images)} == {"a", "b"}


def test_shellcheck_finding_in_generated_text_is_an_error() -> None:
    found = check(bash("#!/usr/bin/env bash\necho $1\n"))
    assert [(f.code, f.severity, f.span.file, f.span.line) for f in found] == [
        ("SC2086", Severity.ERROR, "pod/job.sbatch", 2)
    ]
    assert "fault of mngen" in found[0].hint


def test_yaml_is_read_back() -> None:
    broken = RenderedFile(path="fleet/task.dstack.yml", text="commands:\n  - |\n  if true\n", language=Language.YAML)
    twice = RenderedFile(path="gcp/task.sky.yaml", text="a: 1\nb: {c: 1, c: 2}\n", language=Language.YAML)
    found = check(broken, twice)
    assert [(f.code, f.span.file, f.span.line) for f in found] == [
        ("MN402", "fleet/task.dstack.yml", 3),
        ("MN402", "gcp/task.sky.yaml", 2),
    ]


@pytest.mark.parametrize("text", ["a: [1", "a: b: c\n", "a: 'x\n", "\ta: 1\n", "a: !!python/object:os.system x\n"])
def test_yaml_errors(text: str) -> None:
    assert yaml_error(text) is not None


def test_directives_are_read_as_sbatch_does() -> None:
    text = "#!/bin/bash\n#SBATCH --nodes=2\n# a word\n\n#SBATCH --gres=gpu:8 --gpus-per-node=8\n#SBATCH --quotatype=reserved\ntrue\n#SBATCH --mem=1G\n"
    found = [f for f in check(bash(text), lint=False) if f.code == "MN403"]
    assert [f.span.line for f in found] == [2, 8]
    assert "exclude each other" in found[0].message
    assert parsed_directives("#SBATCH --container-image=a\\#b # note\n").value("--container-image") == "a#b"


@pytest.mark.parametrize("before", ["# ", " ", "x\r", "#SBATCH --nodes=1 "])
def test_a_directive_begins_a_line(before: str) -> None:
    assert parsed_directives(f"#SBATCH --mem=1G\n{before}#SBATCH --nodes=2\n").value("--nodes") != "2"


def test_a_directive_in_a_user_text_is_text() -> None:
    user = UserText("setup", "cat >x <<X\n#SBATCH --mem=1G\nX\n", Span("job.yaml", 1, 1))
    text = f"#!/usr/bin/env bash\n#SBATCH --comment=a\u2028b\n#SBATCH --nodes=2\ncat >x <<'SETUP'\n{user.text}SETUP\n"
    assert [f for f in check(bash(text, user), lint=False) if f.code == "MN403"] == []
    assert [f.span.line for f in check(bash(text), lint=False) if f.code == "MN403"] == [6]


def test_user_text_syntax_error_blocks_at_the_manifest_line() -> None:
    text = UserText("setup", "true\nif x; then\n", Span("job.yaml", 10, 8), literal_block=True)
    (found,) = check(bash(CLEAN, text))
    assert (found.code, found.severity, found.span.file, found.span.line) == ("MN404", Severity.ERROR, "job.yaml", 12)


@pytest.mark.parametrize("lint", [True, False])
@pytest.mark.parametrize("language", [Language.BASH, Language.DOCKERFILE, Language.APPTAINER])
def test_every_file_with_user_text_has_it_read(language: Language, lint: bool) -> None:
    text = UserText("image step build", "if then", Span("job.yaml", 7, 5))
    bodies = {
        Language.BASH: CLEAN,
        Language.DOCKERFILE: "FROM ubuntu:24.04\n",
        Language.APPTAINER: "Bootstrap: docker\n",
    }
    file = RenderedFile(path="x", text=bodies[language], language=language, user_texts=(text,))
    assert ("MN404", Severity.ERROR, 7) in [(f.code, f.severity, f.span.line) for f in check(file, lint=lint)]


def test_without_lint_whole_scripts_are_not_parsed() -> None:
    """What the manifest may have part in is looked at: documents with ``raw``, directives with ``extra``."""
    document = RenderedFile(path="fleet/task.dstack.yml", text="a: [1\n", language=Language.YAML)
    broken = bash("#!/bin/bash\n#SBATCH --time-min=abc\nif true; then\n")
    assert {f.code for f in check(broken, document, lint=False)} == {"MN402", "MN403"}
    assert {"MN401", "MN402", "MN403"} < {f.code for f in check(broken, document)}


@pytest.mark.parametrize(
    "text", ["shopt -s extglob\nrm -f !(*.bin)\nserve\n", "case $1 in\n  @(a|b)) x ;;\nesac # extglob\n"]
)
def test_a_text_with_extglob_is_bash(text: str) -> None:
    assert check(bash(CLEAN, UserText("setup", text, Span("job.yaml", 3, 1))), lint=False) == []
    (found,) = check(bash(CLEAN, UserText("setup", text + "if\n", Span("job.yaml", 3, 1))), lint=False)
    assert found.code == "MN404"


def test_a_placeholder_is_spelled_as_the_manifest_does_and_never_empty() -> None:
    text = 'rm -rf "${SCRATCH}"/*\nrm -rf "${OTHER}"/*\ncp x ${SCRATCH}\ncp x ${OTHER}\n'
    known = (("${SCRATCH}", "${{ env.SCRATCH }}"),)
    block = UserText("setup", text, Span("job.yaml", 10, 8), literal_block=True, placeholders=known)
    assert [(f.code, f.span.line, f.hint) for f in check(bash(CLEAN, block))] == [
        ("SC2115", 12, "https://www.shellcheck.net/wiki/SC2115"),
        ("SC2086", 13, 'write "${{ env.SCRATCH }}"'),
        ("SC2086", 14, 'write "${OTHER}"'),
    ]


def test_user_text_remarks_are_warnings() -> None:
    block = UserText("setup", "cd x\necho $y\n", Span("job.yaml", 10, 8), literal_block=True)
    plain = UserText("prepare[0].run", "true; echo $y", Span("job.yaml", 20, 9))
    found = check(bash(CLEAN, block, plain), bash(CLEAN, block, path="other"))
    assert [(f.code, f.severity, f.span.line) for f in found] == [
        ("SC2086", Severity.WARNING, 12),
        ("SC2086", Severity.WARNING, 20),
    ]
    assert {f.severity for f in check(bash(CLEAN, block), strict=True)} == {Severity.ERROR}
    assert check(bash(CLEAN, block), lint=False) == []


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (
            "pip install verl[sglang]==0.5 peft",
            "a shell takes it for a pattern of file names: write 'verl[sglang]==0.5'",
        ),
        ("cd $WORK/a", 'write "$WORK"'),
        ("ls $(pwd)", 'write "$(pwd)"'),
        ("ls | grep x", "https://www.shellcheck.net/wiki/SC2010"),
    ],
)
def test_user_text_remarks_say_what_to_write(line: str, hint: str) -> None:
    text = UserText("setup", f"true\n{line}\n", Span("job.yaml", 3, 1))
    assert [found.hint for found in check(bash(CLEAN, text))] == [hint]


def test_user_text_that_only_a_fragment_shows_is_left_alone() -> None:
    text = UserText("setup", 'source .venv/bin/activate\nunused=1\necho "$from_env"\n', Span("job.yaml", 3, 1))
    assert check(bash(CLEAN, text)) == []


def test_dockerfile_findings() -> None:
    step = UserText("image.steps[0]", "cd /tmp && echo $x", Span("job.yaml", 7, 5))
    file = RenderedFile(
        path="images/cuda/Dockerfile",
        text="FROM ubuntu:24.04\nRUN cd /opt\nRUN true && \\\n    cd /tmp && echo $x\n",
        language=Language.DOCKERFILE,
        user_texts=(step,),
    )
    found = check(file)
    assert ("DL3003", Severity.ERROR, "images/cuda/Dockerfile") in [(f.code, f.severity, f.span.file) for f in found]
    assert {(f.severity, f.span.line) for f in found if f.span.file == "job.yaml"} == {(Severity.WARNING, 7)}


def test_missing_linters(monkeypatch: pytest.MonkeyPatch) -> None:
    real = programs.find
    monkeypatch.setattr(programs, "find", lambda name: None if name == "shellcheck" else real(name))
    with pytest.raises(EnvironmentFailure) as failure:
        check(bash(CLEAN))
    assert "--no-lint" in failure.value.hint
    assert check(bash(CLEAN), lint=False) == []
    monkeypatch.setattr("mngen.checks.hadolint.find", lambda _: None)
    assert check(RenderedFile(path="Dockerfile", text="FROM x\nRUN cd /opt\n", language=Language.DOCKERFILE)) == []


def test_linters_are_found_beside_the_interpreter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert programs.find("shellcheck") is not None
    assert programs.find("no-such-program") is None
    with pytest.raises(EnvironmentFailure):
        programs.start([str(tmp_path / "absent")])


def test_sections_of_definition_files_are_linted() -> None:
    step = UserText("image.steps[0]", "echo $mine", Span("job.yaml", 7, 5))
    text = "Bootstrap: docker\nFrom: x\n\n%post -c /bin/bash\n    [[ -n $a ]]\n    echo $ours\n    echo $mine\n\n%environment\n    export A=b\n"
    file = RenderedFile(path="images/cuda/x.def", text=text, language=Language.APPTAINER, user_texts=(step,))
    found = [(f.code, f.severity, f.span.file, f.span.line) for f in check(file)]
    assert ("SC2086", Severity.ERROR, "images/cuda/x.def", 6) in found
    assert ("SC2086", Severity.WARNING, "job.yaml", 7) in found
    assert not [f for f in found if f[3] == 5]
    assert check(file, lint=False) == []


def test_hadolint_ignores_what_the_repository_ignores() -> None:
    config = Path(__file__).parents[2] / ".hadolint.yaml"
    assert yaml.safe_load(config.read_text(encoding="utf-8"))["ignored"] == list(IGNORED)


@pytest.mark.parametrize("words", ["--nodes=2 -N 3", "--nodes=2\n#SBATCH -N 2", "--hold --hold"])
def test_an_option_twice_is_an_error_in_generated_text(words: str) -> None:
    (found,) = (f for f in check(bash(f"#!/bin/bash\n#SBATCH {words}\ntrue\n"), lint=False) if f.code == "MN403")
    assert found.severity is Severity.ERROR
    assert "is given twice" in found.message


def test_types_of_mail_add_up() -> None:
    twice = "#!/bin/bash\n#SBATCH --mail-type=BEGIN\n#SBATCH --mail-type=END\ntrue\n"
    assert not [f for f in check(bash(twice), lint=False) if f.code == "MN403"]
