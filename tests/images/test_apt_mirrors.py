"""sed in a build and our own rules take every package source to the same mirror, in whatever order mirrors stand."""

from __future__ import annotations

import subprocess
from itertools import permutations
from pathlib import Path

import pytest
from image_cases import CUDA
from msgspec.structs import replace

from mngen.images import apptainer, dockerfile
from mngen.manifest.mirrors import Mirrors, instead

UBUNTU = "archive.ubuntu.com"
TABLES = {
    "a host and a path of it": {UBUNTU: "http://m.example.org/all", f"{UBUNTU}/ubuntu": "http://s.example.org/special"},
    "a host, a path and one below it": {
        UBUNTU: "http://m.example.org/all/",
        f"{UBUNTU}/ubuntu": "http://m.example.org/one",
        f"{UBUNTU}/ubuntu/dists": "http://m.example.org/two/",
    },
    "a mirror that is a host with a mirror": {
        UBUNTU: "http://deb.debian.org/ubuntu",
        "deb.debian.org": "http://m.example.org/debian",
        f"{UBUNTU}/ubuntu": f"https://{UBUNTU}/special",
    },
    "two that change places": {UBUNTU: "http://deb.debian.org", "deb.debian.org": f"http://{UBUNTU}"},
    "a mirror below its own host": {UBUNTU: f"http://{UBUNTU}/near", "deb.debian.org": "http://m.example.org/debian"},
    "a port": {f"{UBUNTU}:8080": "http://m.example.org:81/port", UBUNTU: "http://m.example.org:82/none"},
}
PLACES = (
    *(
        UBUNTU,
        f"{UBUNTU}/",
        f"{UBUNTU}/ubuntu",
        f"{UBUNTU}/ubuntu/",
        f"{UBUNTU}/ubuntu/dists",
        f"{UBUNTU}/ubuntu-ports",
    ),
    *(
        f"{UBUNTU}:8080/x",
        f"{UBUNTU}:80/x",
        f"{UBUNTU}.example.net/ubuntu",
        f"de.{UBUNTU}/ubuntu",
        "deb.debian.org/debian",
    ),
    *("m.example.org/ubuntu", f"proxy.example.org/{UBUNTU}/ubuntu"),
)


def edited(text: str, folder: Path, image: str) -> str:
    """Return what the command of an image's file makes of a source file."""
    lines = image.split("\n")
    first = next(number for number, line in enumerate(lines) if "find /etc/apt" in line)
    last = next(number for number in range(first, len(lines)) if not lines[number].endswith("\\"))
    command = "\n".join(lines[first : last + 1]).replace("RUN ", "").replace("/etc/apt", str(folder))
    place = folder / "x.list"
    place.write_text(text)
    subprocess.run(["bash", "-c", command], check=True)
    return place.read_text()


@pytest.mark.parametrize("back_end", [dockerfile, apptainer])
@pytest.mark.parametrize("name", TABLES)
def test_the_longest_that_fits_holds_and_only_it(name, back_end, tmp_path) -> None:
    table = TABLES[name]
    text = "".join(f"deb [a=b] {scheme}://{place} noble main\n" for scheme in ("http", "https") for place in PLACES)
    text += f"URIs: {' '.join(f'http://{place}' for place in PLACES)}\n"
    moved = {place: instead(table, place) for place in PLACES}
    for order in permutations(table):
        image = replace(CUDA, mirrors=Mirrors(apt={key: table[key] for key in order}))
        words = edited(text, tmp_path, back_end.text(image)).split()
        wanted = [moved.get(word.partition("://")[2]) or word for word in text.split()]
        assert words == wanted
