"""Codes of texts in which YAML, or an address, is not what its author sees: title, explanation, an example."""

from __future__ import annotations

TEXT_CODES: dict[str, tuple[str, ...]] = {
    "MN119": (
        "text cut at a comment",
        (
            "In an unquoted YAML text a blank and `#` begin a comment, also between the text's own quotes, and the "
            "rest is lost. Put the whole text in YAML quotes, or use a `|` block, which keeps every `#`."
        ),
        'setup: echo "a # b"',
    ),
    "MN120": (
        "port that does not fit its address",
        (
            "`head_address` has a port already: another one after it makes `10.0.0.1:6379:29500`. `head_ip` and "
            "`node_ip` are bare, and an IPv6 address before a port must stand in brackets: `head_host` and "
            "`node_host` have them where they are needed."
        ),
        'args: ["--server=http://${{ head_ip }}:8000/"]     # write head_host',
    ),
    "MN122": (
        "backslash at the end of a line that YAML joins",
        (
            "In a `>` block, and in a text over several lines without any mark, YAML puts a blank in the place of each "
            "line break. A backslash in front of it, as pasted commands have, then belongs to that blank, and the next "
            "word begins with one. A `|` block keeps the lines, and the backslash joins them as a shell would."
        ),
        "driver:\n  command: >              # write |\n    python3 train.py \\\n    --steps 100",
    ),
}
