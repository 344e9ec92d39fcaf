"""Variables of a build that its own instructions do not declare, and where their values come from."""

from rule_beginnings import DOCKER

SECRET = "RUN --mount=type=secret,"
USE = ' curl -H "Bearer $HF_TOKEN" h\n'

# code, file name, a text without that defect
RIGHT = [
    # the image's own
    *(
        ("MN704", "Dockerfile", f"FROM {base}\nRUN echo ${name} ${{{name}}}\n")
        for base, name in (
            ("golang:1.23", "GOPATH"),
            ("docker.io/library/golang:1.23", "GOLANG_VERSION"),
            ("rust:1.80 AS build", "CARGO_HOME"),
            ("rust:1.80", "RUSTUP_HOME"),
            ("node:20", "NODE_VERSION"),
            ("node:20", "YARN_VERSION"),
            ("python:3.12-slim", "PYTHON_SHA256"),
            ("nvcr.io/nvidia/pytorch:25.01-py3", "PYTORCH_VERSION"),
        )
    ),
    ("MN704", "Dockerfile", "ARG NODE_VERSION=20\nFROM node:${NODE_VERSION}\nRUN echo $NODE_VERSION\n"),
    ("MN704", "Dockerfile", "FROM rust:1 AS a\nRUN x\nFROM a\nRUN ls $CARGO_HOME\n"),
    # a secret that BuildKit hands over as a variable
    ("MN704", "Dockerfile", f"{DOCKER}{SECRET}id=hf,env=HF_TOKEN{USE}"),
    (
        "MN704",
        "Dockerfile",
        f"{DOCKER}RUN --mount=type=cache,target=/c \\\n  --mount=env=HF_TOKEN,type=secret,id=a{USE}",
    ),
    # what a command prints may set anything
    ("MN704", "Dockerfile", f'{DOCKER}RUN eval "$(brew shellenv)" && ls $HOMEBREW_PREFIX\n'),
    ("MN704", "Dockerfile", f"{DOCKER}RUN eval `make-env` && ls $SOME_PREFIX\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    ("MN704", "Dockerfile", f"{DOCKER}{SECRET}id=HF_TOKEN{USE}", 2),
    ("MN704", "Dockerfile", f"{DOCKER}{SECRET}id=a,env=HF_TOKEN x\nRUN{USE}", 3),
    ("MN704", "Dockerfile", f"{DOCKER}RUN eval 'x=1' && ls $SOME_PREFIX\n", 2),
    ("MN704", "Dockerfile", f'{DOCKER}RUN eval "$(a)"\nRUN ls $SOME_PREFIX\n', 3),
]

# code, file name, a text with that defect: how grave it is
SEVERITY = {
    # another image than a plain one may set it
    ("MN704", "Dockerfile", "FROM vendor/image:v1\nRUN echo $SOME_PREFIX\n"): "note",
    ("MN704", "Dockerfile", "FROM golang:1.23\nRUN echo $NODE_VERSION\n"): "note",
    ("MN704", "Dockerfile", "FROM ubuntu:24.04\nRUN echo $NODE_VERSION\n"): "error",
    ("MN704", "Dockerfile", "FROM nvidia/cuda:13.0.2-devel-ubuntu24.04 AS a\nFROM a\nRUN echo $V\n"): "error",
    # declared, but in another stage; and what the builder knows
    ("MN704", "Dockerfile", "ARG V=1\nFROM vendor/image:v1\nRUN echo $V\n"): "error",
    ("MN704", "Dockerfile", "FROM vendor/image:v1\nRUN echo $TARGETARCH\n"): "error",
    ("MN704", "Dockerfile", "ARG TORCH_VERSION=2\nFROM a/pytorch:${TORCH_VERSION}\nRUN echo $TORCH_VERSION\n"): "error",
}
