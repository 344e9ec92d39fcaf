"""Two files that pin one package to two versions: how grave it is depends on whether they serve one image."""

from __future__ import annotations

import pytest

from mngen.checks.foreign import check_together, read_document

BASE = "FROM nvidia/cuda:13.0.2-devel-ubuntu24.04\n"
OLD, NEW = "RUN pip install torch==2.9.1\n", "RUN pip install torch==2.11.0\n"
DEF = "Bootstrap: docker\nFrom: {}\n%post\n  pip install torch=={}\n"
LAUNCH = "#!/bin/bash\n#SBATCH --nodes=2\npip install torch==2.9.1\n"
BUILD = "#!/bin/bash\ndocker build -t me/deps:1 -f {} .\n"

ALTERNATIVES = [
    {"Dockerfile": BASE + OLD, "Dockerfile.nightly": BASE + NEW},
    {"a/Dockerfile": BASE + OLD, "b/Dockerfile": BASE + NEW},
    {"Dockerfile.vllm": BASE + OLD, "sglang.Dockerfile": "FROM lmsys/x:v1\n" + NEW},
    {"a.def": DEF.format("ubuntu:24.04", "2.9.1"), "b.def": DEF.format("ubuntu:24.04", "2.11.0")},
    {"Dockerfile.x": BASE + OLD, "Dockerfile.y": "FROM me/deps:1\n" + NEW, "build.sh": BUILD.format("Dockerfile.z")},
]
ONE_IMAGE = [
    {"requirements.txt": "torch==2.9.1\n", "Dockerfile": BASE + NEW},
    {"run.sbatch": LAUNCH, "Dockerfile": BASE + NEW},
    {"Dockerfile.base": BASE + OLD, "Dockerfile": "FROM me/base:v1\n" + NEW},
    {"Dockerfile.base": BASE + OLD, "Dockerfile": "FROM me/app:base AS x\n" + NEW},
    {"Dockerfile.wheels": BASE + OLD, "Dockerfile": BASE + "COPY --from=me/wheels:1 /w /w\n" + NEW},
    {"Dockerfile.base": BASE + OLD, "Dockerfile": "# first build -f Dockerfile.base\n" + BASE + NEW},
    {"Dockerfile.x": BASE + OLD, "Dockerfile.y": "FROM me/deps:1\n" + NEW, "build.sh": BUILD.format("Dockerfile.x")},
    {"Dockerfile": BASE + OLD, "b.def": DEF.format("ubuntu:24.04", "2.11.0")},
    {"base.def": DEF.format("ubuntu:24.04", "2.9.1"), "b.def": DEF.format("base:1", "2.11.0")},
    # one of three is of the same image
    {"Dockerfile": BASE + OLD, "requirements.txt": "torch==2.9.1\n", "Dockerfile.nightly": BASE + NEW},
]


def severities(files: dict[str, str]) -> list[str]:
    documents = [read_document(text, name) for name, text in files.items()]
    return [item.severity.value for item in check_together(documents, lint=False) if item.code == "MN907"]


@pytest.mark.parametrize("files", ALTERNATIVES)
def test_two_images_are_a_note(files: dict[str, str]) -> None:
    assert severities(files) == ["note"]


@pytest.mark.parametrize("files", ONE_IMAGE)
def test_one_image_is_a_warning(files: dict[str, str]) -> None:
    assert severities(files) == ["warning"]
