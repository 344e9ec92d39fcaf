"""A SIF of an image that was built: what Apptainer is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from mngen.build.job import Job
from mngen.build.redact import redactor
from mngen.build.run import Built
from mngen.build.sif import SifWorker
from mngen.build.watch import Count, Step
from mngen.manifest import image as described

IMAGE = described.Image(variant="cuda", repository="r.example.org/a", tag="1", base="ubuntu:24.04", secrets=("netrc",))
APPTAINER = """\
#!/bin/bash
printf '%s\\n' "$PWD" "$@" >"${LOG}"
cat "${@: -1}" >"${LOG}.def"
echo sif >"${@: -2:1}"
"""


class Nobody:
    """Looks on, and says nothing."""

    def started(self, step: Step) -> None: ...
    def said(self, step: Step, line: str) -> None: ...
    def ended(self, step: Step) -> None: ...
    def note(self, text: str) -> None: ...


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Build a SIF of a pushed image with a stand-in for Apptainer; return its arguments and the definition."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "apptainer").write_text(APPTAINER)
    (programs / "apptainer").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    monkeypatch.chdir(tmp_path)

    def build(*tests: described.Step) -> tuple[list[str], str]:
        image = replace(IMAGE, self_test=tests)
        secrets = {"netrc": "src=keys/netrc", "token": "src=keys/token"}
        job = Job(image=image, dockerfile="D", definition="out/x.def", context="job", secrets=secrets)
        digests = {image.reference: "sha256:" + "0" * 64}
        made = Built(
            image=image, builder="buildx", references=job.references, digests=digests, count=Count(), seconds=1
        )
        SifWorker(Nobody(), redactor([])).from_image(job, made, Path(job.sif))
        return Path("log").read_text().splitlines(), Path("log.def").read_text()

    return build


def test_a_self_test_is_shown_its_secrets(asked, tmp_path: Path) -> None:
    """Apptainer runs %post and %test from the root folder, so a path must be whole."""
    _, *words = asked(described.Step(run="cat /run/secrets/token", secrets=("token",)))[0]
    assert words[words.index("--bind") + 1] == f"{tmp_path}/keys/token:/run/secrets/token"
    assert words.count("--bind") == 1
    text = asked(described.Step(run="cat /run/secrets/token", secrets=("token",)))[1]
    assert 'touch "${APPTAINER_ROOTFS}/run/secrets/token"' in text


def test_what_only_the_build_reads_is_not_shown(asked) -> None:
    words, text = asked(described.Step(run="true"))
    assert "--bind" not in words
    assert "%setup" not in text
