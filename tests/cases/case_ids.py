"""The bug cases by area: `test_<area>.py` has at least one test for each, with the case's id in its name."""

AREAS = {
    "address": ("B01", "B04", "B06", "B09", "B11", "B12", "B13"),
    "ports": ("B14", "B20", "B21", "B22"),
    "nodes": ("B23", "B25", "B26", "B28", "B33", "B34", "B36", "B37", "B39", "B40", "B43"),
    "directives": ("B51", "B52", "B53", "B56", "B57", "B58", "B60", "B61"),
    "lifecycle": ("B62", "B64", "B65", "B66", "B70", "B72", "B73", "B75"),
    "quoting": ("B78", "B80", "B81", "B82", "B84", "B86", "B87"),
    "yaml": ("B93", "B94", "B97"),
    "driver_args": ("B98", "B100", "B101", "B102", "B106"),
    "pyxis": ("B107", "B109", "B110", "B112"),
    "apptainer": ("B115", "B117", "B120"),
    "docker": ("B123", "B124", "B126", "B128", "B129", "B131"),
    "rocm": ("B133", "B136"),
    "skypilot": ("B137", "B139"),
    "dstack": ("B141",),
    "generator": ("B145", "B146"),
}
"""All 73 cases."""

COVERED = tuple(AREAS)
"""Areas whose file must be there and complete; whoever adds a file adds its area."""
