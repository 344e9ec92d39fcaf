"""Directives that sbatch refuses: stray words, wrong values; and what it takes although it looks wrong."""

from rule_beginnings import SB

JOB = "#!/bin/bash\n#SBATCH "

# each is no option, and stands behind nothing that takes it for a value
STRAYS = (
    *("--job-name=my job", "--mem=64 GB", "--nodes = 2", "nodes=3", "--mail-user=<your e-mail>", "-N2 // two nodes"),
    *("--exclusive user", "--requeue true", "-J my job", "--time=1:00:00 ; one hour", "--gres gpu:8 x", "-- --nodes=2"),
)
NO_STRAYS = (
    *('--job-name="my job"', "--job-name='my job'", "--job-name=my\\ job", "--nodes 2", "-N 2 -n 4", "--mem=4G # 4 GB"),
    *("--gres gpu:8", "--export ALL", "--account acct", "-t 1:00:00", "-Jx -N2", "--comment='it # is' -N2", ""),
    # a template or a shell may put options in
    *("{{ options }} --nodes=2", "{% if x %}", "$OPTIONS"),
)

# code, file name, a text without that defect
RIGHT = [
    *(("MN732", "a.sh", f"sbatch <<EOF\n{JOB}{words}\ntrain\nEOF\n") for words in ("$OPTIONS -N2", "-N2 ${MORE}")),
    # a heterogeneous job is several, each with its own options
    *(
        ("MN732", "a.sbatch", f"{JOB}--nodes=1\n#SBATCH {separator}\n#SBATCH --nodes=2\n#SBATCH --mem=4G\nx\n")
        for separator in ("hetjob", "packjob", "HetJob", "hetjob --ntasks=1")
    ),
    *(
        ("MN732", "a.sbatch", f"{JOB}{words}\nx\n")
        for words in (
            *("--array=1-7:2%3,9", "--mail-type=begin,END", "--signal=R:10@60", "--dependency=afterok:1?singleton"),
            *("--mail-type=begin\n#SBATCH --mail-type=end", "--mail-type=END --mail-type=END"),
            *("--begin=now+1hour", "--exclusive=topo", "--nice", "--array=$N", "--dependency=afterok:$ID"),
        )
    ),
    ("MN732", "a.sh", f"sbatch <<EOF\n{JOB}--array=0-$((n-1))\n#SBATCH --dependency=afterok:${{id}}\ntrain\nEOF\n"),
    # what is for people, or no gap
    *(
        ("MN702", "a.sbatch", f"{JOB}{words}\nx\n")
        for words in (
            "--comment='<what it is for>'",
            "--comment <why>",
            "--job-name=a # <name>",
            "--account=proj_1 -N2",
        )
    ),
    ("MN702", "a.sbatch", SB + "x\n#SBATCH --account=<account>\n"),
    # behind the first command sbatch reads nothing
    ("MN732", "a.sbatch", SB + "x\n#SBATCH nodes = 3\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN702", "a.sbatch", f"{JOB}{words}\nx\n", 2)
        for words in (
            *("--account=<account>", '--partition="<partition>"', "-A <account>", "-N2 -p <partition> -n 2"),
            *("--mail-user=<your e-mail>", "--account=YOUR_ACCOUNT", "-A YOUR_ACCOUNT", "--output=/data/<user>/%j.out"),
            *("--account=<YOUR-ACCOUNT>", "--qos='<your qos>'"),
        )
    ),
    ("MN702", "a.sh", f"sbatch <<'EOF'\n{JOB}--account=<account>\ntrain\nEOF\n", 3),
    *(("MN732", "a.sbatch", f"{JOB}{words}\nx\n", 2) for words in STRAYS),
    *(
        ("MN732", "a.sbatch", f"{JOB}{words}\nx\n", 2)
        for words in (
            *("--array=a-b", "--mail-type=FOO", "--signal=B:FOO@10", "--dependency=foo:1", "--begin=whenever"),
            *("--exclusive=foo", "--nice=x", "--ntasks=-1", "-a x", "-n 0"),
        )
    ),
    # what stands on the lines behind is read all the same
    *(("MN732", "a.sbatch", f"{JOB}{words}\n#SBATCH --mem=64 GB\nx\n", 3) for words in STRAYS),
    ("MN732", "a.sbatch", JOB + "--job-name=my job\n#SBATCH --nodes=x\ntrain\n", 3),
    ("MN732", "a.sbatch", JOB + "--job-name=my job\n#SBATCH --partion=x\ntrain\n", 3),
    ("MN732", "a.sbatch", JOB + "-N1\n#SBATCH hetjob\n#SBATCH --mem=4 G\nx\n", 4),
    ("MN732", "a.sh", f"sbatch <<'EOF'\n{JOB}--mem=4 G\ntrain\nEOF\n", 3),
    ("MN745", "a.sbatch", f"{JOB}--job-name=my job\n#SBATCH --nodes=2\ntrain trainer.nnodes=4\n", 4),
]
RIGHT += [("MN732", "a.sbatch", f"{JOB}{words}\nx\n") for words in NO_STRAYS]

# code, file name, a text with that defect: how grave it is
SEVERITY = {
    # a site's own option may take a value
    ("MN732", "a.sbatch", f"{JOB}--site-option 3 --nodes=2\nx\n"): "warning",
    # of two values the last one counts
    **{
        ("MN732", "a.sbatch", f"{JOB}{words}\nx\n"): "warning"
        for words in (
            "-N 2\n#SBATCH --nodes=3",
            "-N2 -N4",
            "--time=1:00:00 -t 2:00:00",
            "-N1 -N2 -N3",
            "--exclusive --exclusive=user",
        )
    },
    **{
        ("MN732", "a.sbatch", f"{JOB}{words}\nx\n"): "note"
        for words in ("-N 2\n#SBATCH --nodes=2", "--hold --hold", "-J x --job-name=x", "-N2 -N2 -N2")
    },
    # a repeated value may be wrong as well
    ("MN732", "a.sbatch", f"{JOB}--mem=1G --mem-per-cpu=1G\nx\n"): "error",
}
