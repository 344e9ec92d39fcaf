"""Lines that look like directives: those that sbatch passes over, and words of people that only look like one."""

from rule_beginnings import SB

MISSPELT = ("SBTACH", "SBACTH", "BATCH", "SBATH", "SBACH", "SBATHC", "SBATC", "SABTCH", "SBARCH", "SBATCHH", "Sbatch")
WORDS = ("--mem=1G", "-N2", "--nodes 2 -x a", "--exclusive    # whole nodes", "--job-name=a")

# code, file name, a text without that defect
RIGHT = [
    # sbatch wants no blank behind the word, and takes words of its own
    *(("MN731", "a.sbatch", f"{SB}#SBATCH{text}\n") for text in ("--exclusive", "\t--mem=1G", " hetjob", "-N2")),
    *(
        ("MN731", file, SB + text)
        for file in ("a.sbatch", "a.sh")
        for text in (
            "# batch --size of each node\n# batch sizes: -1 is all\n#BATCH of jobs\n#batch\n",
            "# sbatch --mem=1G\n#sbatch --mem=1G job.sbatch\n# sbatch -N2 < job.sbatch\n#sbatch is not read\n",
            "##SBTACH --mem=1G\n#PATCH --mem=1G\n#BSUB -n 4\n#PBS -l x\n#MATCH -x\n#SWITCH --mem=1G\n",
            "cat > x <<E\n#SBTACH --mem=1G\n#sbatch -N2\nE\n",
            "#BATCH --size=4\n#SBACH --no-such-option\n",
        )
    ),
    ("MN731", "a.sh", "#!/bin/bash\n#SBTACH --mem=1G\ntrue\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(("MN731", "a.sbatch", f"{SB}#{word} {words}\nx\n", 3) for word in MISSPELT for words in WORDS),
    *(("MN731", "a.sbatch", f"{SB}#sbatch {words}\nx\n", 3) for words in WORDS),
    *(
        ("MN731", "a.sbatch", f"{SB}{line}\nx\n", 3)
        for line in (
            *("# SBATCH--exclusive", " #SBATCH--mem=1G", "# SBTACH --mem=1G", "  #BATCH --mem=1G", "#SBTACH--mem=1G"),
            *("#sbatch--mem=1G", "#\tSBATCH\t-N2", "#SBTACH\t-N2"),
        )
    ),
    ("MN731", "a.slurm", "#!/bin/bash\n#SBTACH --nodes=2\nsrun true\n", 2),
    ("MN731", "a.sh", SB + "x\n#SBTACH --mem=1G\n", 4),
    ("MN731", "a.sh", f"sbatch <<'EOF'\n{SB}#SBTACH --mem=4G\ntrain\nEOF\n", 4),
]

# code, file name, a text with that defect: how grave it is
SEVERITY = {
    ("MN731", "a.sbatch", SB + "#SBTACH --mem=1G\n"): "warning",
    ("MN731", "a.sbatch", SB + "x\n#SBATCH --mem=1G\n"): "error",
}
