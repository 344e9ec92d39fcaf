"""Environments that uv makes without being told where, and path variables that name them."""

from rule_beginnings import DEF, DOCKER

AT_WORK = DOCKER + "WORKDIR /w\n"

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN901", "Dockerfile", f"{AT_WORK}RUN {step}\nENV PATH=/w/.venv/bin:$PATH\n")
        for step in (
            *("uv sync --frozen", "uv venv", "uv venv --python 3.12 --seed", "uv run python -c pass", "uv add torch"),
            *("--mount=type=bind,source=uv.lock,target=uv.lock uv sync", "apt-get update \\\n && uv \\\n  sync"),
            *("cd sub && make && cd .. && uv sync", "uv --no-cache sync"),
        )
    ),
    *(
        ("MN901", "Dockerfile", f"{AT_WORK}RUN {step}\nENV PATH=/w/sub/.venv/bin:$PATH\n")
        for step in ("cd sub && uv sync", "uv sync --project sub", "uv --directory=sub sync", "cd /w/sub; uv venv")
    ),
    ("MN901", "Dockerfile", AT_WORK + "ENV UV_PROJECT_ENVIRONMENT=env\nRUN uv sync\nENV PATH=/w/env/bin:$PATH\n"),
    ("MN901", "Dockerfile", DOCKER + "ENV UV_PROJECT_ENVIRONMENT=/v/e\nRUN uv sync\nENV PATH=/v/e/bin:$PATH\n"),
    ("MN901", "x.def", DEF + "%environment\n  export PATH=/w/.venv/bin:$PATH\n%post\n  cd /w\n  uv sync\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN901", "Dockerfile", f"{AT_WORK}RUN {step}\nENV PATH=/w/.venv/bin:$PATH\n", 4)
        for step in ("uv pip install --system x", "uv lock", "uv venv /opt/e", "cd sub && uv sync", "my-uv sync")
    ),
    ("MN901", "Dockerfile", AT_WORK + "RUN uv sync\nENV PATH=/v/.venv/bin:$PATH\n", 4),
    ("MN901", "Dockerfile", AT_WORK + "ENV UV_PROJECT_ENVIRONMENT=env\nRUN uv sync\nENV PATH=/w/.venv/bin\n", 5),
]
