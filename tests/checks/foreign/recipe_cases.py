"""Image recipes: each base and each source counts, and a variable that a step gives a value has one."""

from rule_beginnings import DOCKER

THREE = "FROM python:3.12-slim AS a\nFROM golang:1.23 AS b\nFROM python:3.12 AS d\n"
DIGEST = "@sha256:" + "0" * 64

# code, file name, a text without that defect
RIGHT = [
    *(("MN704", "Dockerfile", f"{DOCKER}RUN {words}\n") for words in ('echo "${A:=b}$A"', ": ${A:=b} && echo $A ${A}")),
    ("MN704", "Dockerfile", DOCKER + "RUN : ${A=b}; \\\n    echo $A\n"),
    ("MN906", "Dockerfile", f"FROM golang:1.23{DIGEST} AS b\nFROM b AS c\nFROM c\nFROM scratch\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(("MN906", "Dockerfile", THREE, line) for line in (1, 2, 3)),
    ("MN906", "Dockerfile", f"FROM golang:1.23{DIGEST} AS b\nFROM b AS c\nFROM python:3.12\n", 3),
    ("MN704", "Dockerfile", DOCKER + 'RUN echo "$A${A:=b}"\n', 2),
    ("MN704", "Dockerfile", DOCKER + "RUN echo '${A:=b}' $A\n", 2),
    ("MN704", "Dockerfile", DOCKER + "RUN echo \\${A:=b} $A\n", 2),
    ("MN704", "Dockerfile", DOCKER + "RUN echo ${B:=b} $A\n", 2),
]
