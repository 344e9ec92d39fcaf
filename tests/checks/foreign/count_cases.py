"""Nodes counted by the lines of a text: what is wrong, what SkyPilot's users write, and what is only printed."""

from rule_beginnings import SB, SKY

SKY_COUNT = 'echo "$SKYPILOT_NODE_IPS" | wc -l'
USES = ("train --nodes $n", "((n > 1)) && train", "if [ $n -gt 1 ]; then train; fi", "export n", "m=$n")

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN715", file, f"{before}{text}\n")
        for file, before, indent in (("a.sky.yaml", SKY, "  "), ("a.sh", "", ""))
        for text in (
            f'{indent}echo "there are $({SKY_COUNT}) nodes"',
            f"{indent}printf '%s\\n' \"$({SKY_COUNT})\"",
            f'{indent}n=$({SKY_COUNT})\n{indent}echo "there are $n nodes"',
            f"{indent}n=`{SKY_COUNT}`\n{indent}echo nodes: ${{n}}\n{indent}train",
            f"{indent}{SKY_COUNT}",
        )
    ),
]

# code, file name, a text with that defect: how grave it is
SEVERITY = {
    **{("MN715", "a.sky.yaml", f"{SKY}  n=$({SKY_COUNT})\n  {use}\n"): "note" for use in USES},
    ("MN715", "a.sky.yaml", SKY + '  n=`echo "${SKYPILOT_NODE_IPS}" | wc -l`\n  train $n\n'): "note",
    ("MN715", "a.sky.yaml", f"{SKY}  train --nodes $({SKY_COUNT})\n"): "note",
    # one line, whatever it holds; other texts; another launcher
    ("MN715", "a.sky.yaml", SKY + "  n=$(echo $SKYPILOT_NODE_IPS | wc -l)\n  train $n\n"): "warning",
    ("MN715", "a.sky.yaml", SKY + "  n=$(ray status | wc -l)\n  train $n\n"): "warning",
    ("MN715", "a.sky.yaml", SKY + '  n=$(echo "$OTHER_NODE_IPS" | wc -l)\n  train $n\n'): "warning",
    **{("MN715", "a.sbatch", f'{SB}n=$(echo "$NODE_IPS" | wc -l)\n{use}\n'): "warning" for use in USES},
    ("MN715", "a.sh", 'n=$(echo "$NODE_IPS" | wc -l)\necho "$n"\ntrain $n\n'): "warning",
}
