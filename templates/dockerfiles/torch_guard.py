#!/usr/bin/env python3
"""Stop an image build when a layer replaces PyTorch or its CUDA/ROCm build: torch_guard.py LAYER.

The first torch that is seen is the one to keep: it is recorded, and pinned in the constraints.
Reads metadata only. Importing torch would need the driver, which a build machine does not have.
"""

import json
import pathlib
import re
import sys
from importlib import metadata

ETC = pathlib.Path("/etc/mngen")


def installed():
    try:
        torch = metadata.distribution("torch")
    except metadata.PackageNotFoundError:
        return None
    source = pathlib.Path(torch.locate_file("torch/version.py"))
    text = source.read_text(encoding="utf-8") if source.is_file() else ""
    built = dict(re.findall(r"^(cuda|hip)\b[^=]*= *[\"'](.+)[\"']", text, re.MULTILINE))
    return {"version": torch.version, "cuda": built.get("cuda"), "hip": built.get("hip")}


def named(torch):
    if torch is None:
        return "none"
    return torch["version"] + " (" + ("HIP " + torch["hip"] if torch["hip"] else "CUDA " + str(torch["cuda"])) + ")"


def misfit(torch, want):
    own, other, exact = ("hip", "cuda", 2) if want["variant"] == "rocm" else ("cuda", "hip", 1)
    if torch[other] or not torch[own]:
        return "which is not built for " + want["variant"]
    # CUDA is compatible within a major version, ROCm is not. Numbers, because 7.14 is newer than 7.2.
    if want["toolkit"] and re.findall(r"\d+", torch[own])[:exact] != re.findall(r"\d+", want["toolkit"])[:exact]:
        return "but the base has " + want["toolkit"]
    if want["torch"] not in ("", torch["version"].partition("+")[0]):
        return "the manifest asks for " + want["torch"]
    return ""


def fault():
    want = json.loads((ETC / "torch-wanted.json").read_text(encoding="utf-8"))
    python = ".".join(map(str, sys.version_info[:3]))
    if not (python + ".").startswith(want["python"] + "." if want["python"] else ""):
        return "runs Python " + python + "; the manifest asks for " + want["python"]
    torch, record = installed(), ETC / "torch.json"
    if record.is_file():
        kept = json.loads(record.read_text(encoding="utf-8"))
        return "" if torch == kept else "replaced torch: it was " + named(kept) + ", now it is " + named(torch)
    reason = misfit(torch, want) if torch else ""
    if torch and not reason:
        record.write_text(json.dumps(torch) + "\n", encoding="utf-8")
        # Pinned without the local part (+cu128), so that pip takes the installed build for it.
        with (ETC / "constraints.txt").open("a", encoding="utf-8") as pins:
            pins.write("torch==" + torch["version"].partition("+")[0] + "\n")
    return "brought torch " + named(torch) + ", " + reason if reason else ""


FAULT = fault()
if FAULT:
    sys.exit("mngen: layer " + repr(sys.argv[1]) + " " + FAULT)
