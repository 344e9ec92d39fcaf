"""The defects of published image recipes that no other linter reports, each as a small input of our own."""

from __future__ import annotations

import pytest

from mngen.checks.foreign import check_together, read_document
from mngen.diagnostics import Diagnostic

BASE = "FROM nvidia/cuda:13.0.2-devel-ubuntu24.04\n"
ROCM = "FROM rocm/dev-ubuntu-22.04:7.2.1-complete\n"
EXPORTS = "export HIP_VISIBLE_DEVICES=$LIST\nexport ROCR_VISIBLE_DEVICES=$LIST\nexport CUDA_VISIBLE_DEVICES=$LIST\n"
RECIPES = {"Dockerfile.cu130": BASE, "Dockerfile.rocm": ROCM}

# what is wrong: (the files of the call, the code, the file, the line)
DEFECTS = {
    "a long option with one dash": (
        {"Dockerfile": BASE + "RUN pip install --no-cache-dir \\\n    -no-build-isolation flash-attn==2.8.3\n"},
        ("MN703", "Dockerfile", 3),
    ),
    "a variable in RUN that nothing declares": (
        {"Dockerfile": BASE + 'RUN pip install "git+https://h/NVIDIA/TE.git@${TRANSFORMER_ENGINE_VERSION}"\n'},
        ("MN704", "Dockerfile", 2),
    ),
    "an address that ends with @": (
        {"Dockerfile": BASE + 'RUN pip install "git+https://h/NVIDIA/TE.git@${TRANSFORMER_ENGINE_VERSION}"\n'},
        ("MN705", "Dockerfile", 2),
    ),
    "an address that ends with @, by itself": (
        {"Dockerfile": BASE + "RUN pip install git+https://h/NVIDIA/TE.git@\n"},
        ("MN705", "Dockerfile", 2),
    ),
    "patches that a comment speaks of and no step applies": (
        {"Dockerfile": BASE + "# vLLM: apply the patches of two pull requests\nRUN pip install vllm==0.24.0\n"},
        ("MN903", "Dockerfile", 2),
    ),
    "PYTHONPATH names a directory that is never cloned": (
        {"Dockerfile": BASE + "RUN pip install x\nENV PYTHONPATH=/opt/Megatron-LM\n"},
        ("MN901", "Dockerfile", 3),
    ),
    "PYTHONPATH ends with a colon": (
        {"Dockerfile": BASE + 'RUN mkdir /opt/m\nENV PYTHONPATH="/opt/m:"\n'},
        ("MN902", "Dockerfile", 3),
    ),
    "PYTHONPATH ends with its own value, which is empty": (
        {"Dockerfile": BASE + "RUN mkdir /opt/m\nENV PYTHONPATH=/opt/m:$PYTHONPATH\n"},
        ("MN902", "Dockerfile", 3),
    ),
    "a package from a repository's default branch": (
        {"Dockerfile": BASE + "RUN pip install -v \\\n    git+https://h/NVIDIA/apex.git\n"},
        ("MN790", "Dockerfile", 3),
    ),
    "a clone of the default branch": (
        {"Dockerfile": BASE + "RUN git clone https://h/deepseek-ai/FlashMLA && cd FlashMLA && pip install .\n"},
        ("MN790", "Dockerfile", 2),
    ),
    "an edit of somebody else's code that nothing checks": (
        {"Dockerfile": ROCM + "RUN cd /opt/aiter && \\\n    sed -i 's/gfx90a/gfx942/' setup.py\n"},
        ("MN706", "Dockerfile", 3),
    ),
    "three device lists at once": ({"run.sh": EXPORTS}, ("MN785", "run.sh", 3)),
    "ROCR and HIP lists, which a worker refuses together": (
        {"run.sh": "export HIP_VISIBLE_DEVICES=$LIST ROCR_VISIBLE_DEVICES=$LIST\n"},
        ("MN785", "run.sh", 1),
    ),
    "two files that pin torch to two versions": (
        {
            "setup.py": 'install_requires = [\n    "torch==2.9.1",\n]\n',
            "pyproject.toml": '[project]\ndependencies = ["torch==2.11.0"]\n',
        },
        ("MN907", "pyproject.toml", 2),
    ),
    "an image whose torch is not the package's": (
        {
            "setup.py": 'x = ["torch==2.9.1"]\n',
            "Dockerfile": BASE + "ARG TORCH=2.11.0\nRUN pip install torch==${TORCH}\n",
        },
        ("MN907", "Dockerfile", 3),
    ),
    "a definition file on another revision than the Dockerfile": (
        {
            "Dockerfile": BASE + "RUN pip install git+https://h/mcore.git@core_v0.18.0\n",
            "verl.def": "Bootstrap: docker\nFrom: ubuntu\n%post\n  git clone --branch core_v0.13.0 https://h/mcore\n",
        },
        ("MN907", "verl.def", 4),
    ),
    "a page that names a removed Dockerfile": (
        {**RECIPES, "README.md": "# Images\n\nBuild with `docker build -f docker/Dockerfile.uv.cu129 .`\n"},
        ("MN908", "README.md", 3),
    ),
    "a comment that names a missing ARG": (
        {"Dockerfile": "# Set another version with --build-arg VLLM_VERSION=0.24.0\n" + BASE + "ARG VLLM=0.24.0\n"},
        ("MN904", "Dockerfile", 1),
    ),
    "a kernel package": (
        {"Dockerfile": BASE + "RUN apt-get update && apt-get install -y linux-image-generic\n"},
        ("MN905", "Dockerfile", 2),
    ),
    "no digest": ({"Dockerfile": BASE}, ("MN906", "Dockerfile", 1)),
    "a secret as a build argument": ({"Dockerfile": BASE + "ARG HF_TOKEN\n"}, ("MN784", "Dockerfile", 2)),
    "a variable of the launch": (
        {"Dockerfile": BASE + "ENV A=1 \\\n    NCCL_SOCKET_IFNAME=eth0\n"},
        ("MN707", "Dockerfile", 3),
    ),
}


def found(files: dict[str, str]) -> list[Diagnostic]:
    return check_together([read_document(text, name) for name, text in files.items()], lint=False)


@pytest.mark.parametrize("what", DEFECTS)
def test_a_defect_is_found_at_its_line(what: str) -> None:
    files, place = DEFECTS[what]
    items = [(item.code, item.span.file, item.span.line) for item in found(files) if item.span is not None]
    assert place in items


@pytest.mark.parametrize("what", DEFECTS)
def test_a_finding_names_its_columns_and_the_way_out(what: str) -> None:
    files, (code, name, line) = DEFECTS[what]
    for item in (item for item in found(files) if item.code == code and item.span is not None):
        assert item.span.file == name
        assert item.hint
        text = files[name].split("\n")[line - 1]
        assert 1 <= (item.span.column or 0) < (item.span.end_column or 0) <= len(text) + 1


def test_pins_that_may_differ() -> None:
    """Alternatives of a folder, the other vendor's file, ranges, and a file that serves two stacks."""
    cuda, rocm = BASE + "RUN pip install torch==2.9.1\n", ROCM + "RUN pip install torch==2.9.0\n"
    same = [
        read_document(BASE + f"RUN pip install torch=={v}\n", f"docker/Dockerfile.{v}", group="docker") for v in "12"
    ]
    ranges = {"requirements.txt": "torch>=2.8\n# torch==1.0\ntorch==2.*\n", "Dockerfile": cuda}
    local = {"requirements.txt": "torch==2.9.1+cu128\n", "Dockerfile": cuda}
    both = {"requirements.txt": "torch==2.9.1\ntorch==2.9.0; platform_machine=='x'\n", "Dockerfile.rocm": rocm}
    for files in ({"Dockerfile": cuda, "Dockerfile.rocm": rocm}, ranges, local, both):
        assert "MN907" not in {item.code for item in found(files)}, files
    assert "MN907" not in {item.code for item in check_together(same, lint=False)}


def test_names_of_files_that_are_there() -> None:
    page = "See docker/Dockerfile.rocm, https://h/x/Dockerfile.gone and ./Dockerfile; ignored: Dockerfile.dockerignore"
    assert "MN908" not in {item.code for item in found({**RECIPES, "README.md": page})}
    assert "MN908" not in {item.code for item in found({"README.md": "see Dockerfile.gone"})}
