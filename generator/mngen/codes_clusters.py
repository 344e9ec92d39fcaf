"""Codes of the lint of foreign files: Slurm and Ray. Title and explanation."""

from __future__ import annotations

CLUSTER_CODES: dict[str, tuple[str, ...]] = {
    "MN730": (
        "variable in a directive",
        (
            "sbatch expands neither `$` nor `~` in `#SBATCH` lines. Write the value, use a pattern such as %j, or "
            "pass the option on the command line."
        ),
    ),
    "MN731": (
        "directive after a command",
        ("sbatch reads directives only up to the first command. Move it up."),
    ),
    "MN732": (
        "directives that sbatch refuses",
        (
            "An option has a wrong value, is given twice, contradicts another one, or does not exist in Slurm. A "
            "site's own plugin may know it."
        ),
    ),
    "MN733": (
        "folder of the output",
        (
            "Slurm opens the output file before the script runs. Before 23.02 it does not create the folder, and the "
            "job ends without any log. Create the folder at submission, and write the path in full."
        ),
    ),
    "MN734": (
        "bound to named nodes",
        (
            "A node list in the script makes it run on one cluster only, and wait for these nodes. Let Slurm choose, "
            "or name nodes on the command line."
        ),
    ),
    "MN735": (
        "step runs several times on a node",
        (
            "A bare `srun` starts as many tasks as the job has. With two tasks a node everything runs twice, at once. "
            "Ask for one task a node."
        ),
    ),
    "MN736": (
        "step that waits for another",
        (
            "Since Slurm 20.11 a step has its resources to itself. Beside a step that runs to the end of the job "
            "every other one needs `--overlap`."
        ),
    ),
    "MN737": (
        "step without its CPUs",
        (
            "srun of Slurm 22.05 and 23.02 does not take `--cpus-per-task` from the job, so a step may be bound to "
            "one core while Ray is told many. Repeat the option, or export SRUN_CPUS_PER_TASK."
        ),
    ),
    "MN738": (
        "more nodes than the step names",
        (
            "One task on one named node needs `--nodes=1`. Slurm shrinks a larger number with a warning; stricter "
            "setups refuse it."
        ),
    ),
    "MN739": (
        "request read as a number",
        (
            "SLURM_GPUS_PER_NODE repeats what was typed: `a100:8` with a type, nothing with `--gres`. "
            "SLURM_GPUS_ON_NODE is a plain number in every case."
        ),
    ),
    "MN740": (
        "CPUs per task not asked for",
        ("SLURM_CPUS_PER_TASK is set only when the job asks for `--cpus-per-task`. Ask for it, or count with `nproc`."),
    ),
    "MN741": (
        "path of the script",
        ("A job runs Slurm's copy of the script, so `dirname $0` is a spool folder. Use SLURM_SUBMIT_DIR or a path."),
    ),
    "MN742": (
        "one log for all jobs",
        ("A fixed name is overwritten by every job and every attempt. Put the job's number into it."),
    ),
    "MN743": (
        "killed without warning",
        ("At the time limit a job is killed. Ask for a signal ahead of it, trap it, save, and requeue."),
    ),
    "MN744": (
        "runs on the batch host only",
        ("A container command outside srun runs on the first node. What it prepares is missing on the others."),
    ),
    "MN745": (
        "count typed by hand",
        (
            "A number that the file already holds is repeated in the driver's arguments. When they differ, the driver "
            "waits for nodes that never come. Take it from the launcher's variable."
        ),
    ),
    "MN746": (
        "GPUs not counted",
        ("Without `--num-gpus` Ray counts the devices that it sees. Pass the launcher's number."),
    ),
    "MN747": (
        "limit of open files",
        ("Ray needs more open files than the default of many shells. Raise the soft limit up to the hard one."),
    ),
    "MN748": (
        "data on one node only",
        (
            "What one rank downloads or prepares on its own disk is missing on the others. Prepare it on every node, "
            "or on storage that all of them mount."
        ),
    ),
    "MN749": (
        "path without quotes",
        (
            "A path that is expanded outside quotes becomes two arguments at its first blank, and none when it is "
            "empty. Put double quotes around it."
        ),
    ),
    "MN750": (
        "no such Ray command",
        ("Ray does not have this subcommand, so the call fails every time; in a waiting loop, for ever."),
    ),
    "MN751": (
        "address family by length",
        ("`fd77::1` has 7 characters and is IPv6. A colon tells the family; better ask for one family at once."),
    ),
    "MN752": (
        "address by host name",
        (
            "The host name may lead to 127.0.1.1, to several addresses, or to the management network; `-4` finds "
            "nothing on a node with IPv6 only. Take the address of the interface that leads to the other nodes."
        ),
    ),
    "MN753": (
        "IPv6 address without brackets",
        ("`$ip:$port` is ambiguous for IPv6, and Ray refuses it. Bracket an address that holds a colon."),
    ),
    "MN754": (
        "port that all jobs share",
        (
            "On a shared node the second job with Ray's default ports fails, or joins the first one's cluster. Derive "
            "ports from the job's number and probe them, or take whole nodes."
        ),
    ),
    "MN755": (
        "ports left to chance",
        (
            "Ports that are not given are random or Ray's defaults, and meet other jobs'. Pin all of them, outside "
            "the workers' range and below the ephemeral one."
        ),
    ),
    "MN756": (
        "driver without address",
        (
            "Without an exported RAY_ADDRESS the driver joins the newest Ray that it finds, or starts one of its own. "
            "Export it."
        ),
    ),
    "MN757": (
        "nobody counts the nodes",
        (
            "A driver that starts too early hangs or trains on fewer nodes. Wait, with a deadline, for live nodes and "
            "GPUs."
        ),
    ),
    "MN758": (
        "worker's start returns at once",
        (
            "Without `--block` the worker's processes are left alone or killed with the step, and their death goes "
            "unseen."
        ),
    ),
    "MN759": (
        "address of the node is guessed",
        ("Ray takes the address of the default route. Pass `--node-ip-address` on every node, found the same way."),
    ),
    "MN760": (
        "folder for Ray's sockets",
        (
            "The default, /tmp/ray, belongs to the first user of a node, and sockets do not work on shared file "
            "systems. Give each job a short folder of its own on the node's disk."
        ),
    ),
    "MN761": (
        "dashboard open to all",
        (
            "The dashboard's job API runs any command for whoever reaches it. Bind it to loopback and use a tunnel, "
            "or turn on token authentication."
        ),
    ),
    "MN762": (
        "stops other jobs' Ray",
        ("`ray stop` ends every Ray of the user on the node. Stop the process that this job started."),
    ),
    "MN763": (
        "kill by name",
        ("Every process of that name on the node ends, whoever started it. Keep ids and signal those."),
    ),
    "MN764": (
        "start that hides failures",
        (
            "`ray symmetric-run` ends with 0 when `ray start` fails, counts dead nodes as joined, and stops every Ray "
            "of the user."
        ),
    ),
    "MN765": (
        "cluster without a token",
        (
            "Who reaches a Ray cluster without token authentication can run code in it. From 2.61 on a token is the "
            "default: set RAY_AUTH_MODE one way or the other."
        ),
    ),
    "MN766": (
        "no driver",
        ("A task that starts Ray and no driver does not end with the training, and depends on an attached terminal."),
    ),
    "MN767": (
        "log of the submission only",
        ("With `--no-wait` the output and the exit status say nothing about the training."),
    ),
    "MN768": (
        "address auto",
        ("`address=\"auto\"` joins the newest Ray on the node: SkyPilot's own, or another job's. Name the address."),
    ),
    "MN769": (
        "beside SkyPilot's own Ray",
        (
            "SkyPilot runs a Ray of its own on every node, on ports 6380, 8266, 8076 and 52365. Take other ports and "
            "another temp dir."
        ),
    ),
}
