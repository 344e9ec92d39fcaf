"""Codes of the lint of foreign files: how a Ray cluster is started. Title, explanation and example."""

from __future__ import annotations

CLUSTER_CODES: dict[str, tuple[str, ...]] = {
    "MN750": (
        "no such Ray command",
        (
            "Ray does not have this subcommand, so the call fails every time; in a waiting loop, for ever. `ray list "
            "nodes`, `ray status` and `ray health-check` exist."
        ),
    ),
    "MN751": (
        "address family by length",
        (
            "The length of an address says nothing: `fd77::1` has 7 characters and is IPv6, and a list of two IPv4 "
            "addresses has more than 16. Only a colon tells."
        ),
        '[[ ${ip} == *:* ]] && host="[${ip}]" || host=${ip}',
    ),
    "MN752": (
        "address by host name",
        (
            "The host name may lead to 127.0.1.1, to several addresses, or to the management network; `-4` finds "
            "nothing on a node with IPv6 only. Take the address that the kernel uses towards another node, or that "
            "of a named interface."
        ),
        "ip -json route get \"${other_node_ip}\" | jq -r '.[0].prefsrc'",
    ),
    "MN753": (
        "IPv6 address without brackets",
        (
            "With an IPv6 address `$ip:$port` is `fd00::1:6379`, and no program can tell where the port begins; Ray "
            "refuses it, and so does what is given `http://$ip:$port`. Bracket an address that holds a colon."
        ),
        "case ${ip} in *:*) host=[${ip}] ;; *) host=${ip} ;; esac",
    ),
    "MN754": (
        "port that all jobs share",
        (
            "On a shared node the second job with the same port fails, or joins the first one's cluster and runs on "
            "its GPUs. Derive ports from the job's number, or take whole nodes with `--exclusive`."
        ),
        "port=$((20000 + SLURM_JOB_ID % 1000 * 20))",
    ),
    "MN755": (
        "ports left to chance",
        (
            "Ray has more ports than `--port`. Those that are not given are random or Ray's defaults, and meet those "
            "of other jobs on the node. Pin all of them outside of the workers' range and below the kernel's "
            "ephemeral range (/proc/sys/net/ipv4/ip_local_port_range), or take whole nodes."
        ),
        "ray start --head --port=20000 --node-manager-port=20001 --object-manager-port=20002 …",
    ),
    "MN756": (
        "driver without address",
        (
            "Without RAY_ADDRESS the driver joins the newest Ray that it finds on the node, perhaps another job's, "
            "or starts one of its own on one node. A variable that is set and not exported reaches no program. An "
            "address among the driver's arguments, or that of `ray job submit`, does as well."
        ),
        'export RAY_ADDRESS="${head_address}"      # host:port, an IPv6 host in brackets',
    ),
    "MN757": (
        "nobody counts the nodes",
        (
            "A driver that starts before all nodes have joined hangs, or trains on fewer. Wait, with a deadline, "
            "until Ray shows as many live nodes and GPUs as the job has. That `ray status` or `ray health-check` "
            "succeeds says only that the head answers, and a function that nobody calls waits for nobody. Of a script "
            "that starts Ray and no driver nothing is said."
        ),
        (
            "until python3 -c 'import ray; ray.init(); assert ray.cluster_resources()[\"GPU\"] == 16'; do\n"
            "  ((SECONDS < 300)) || exit 75\n  sleep 5\ndone"
        ),
    ),
    "MN758": (
        "start that returns at once",
        (
            "Without `--block` `ray start` leaves its processes in the background and returns: they are killed with "
            "the step, or live on after it, and nobody sees when they die. With `--block` it stays, and ends when "
            "they end. It is told of workers, and of a head that is all that its `srun` runs: Slurm kills it with the "
            "step. Of a worker with a loop behind it that asks `ray status` as long as Ray answers it is a note."
        ),
        'ray start --address="${RAY_ADDRESS}" --block',
    ),
    "MN759": (
        "address of the node is guessed",
        (
            "Ray takes the address of the default route, on a node with several networks often the slow or the "
            "closed one. Pass `--node-ip-address` on every node, found the same way on each, and let "
            "NCCL_SOCKET_IFNAME and VLLM_HOST_IP name the same network."
        ),
        'ray start --node-ip-address="${node_ip}" …',
    ),
    "MN760": (
        "folder for Ray's sockets",
        (
            "The default, /tmp/ray, belongs to the first user of a node, and all jobs meet in it. Sockets do not "
            "work on shared file systems, and their paths are limited: the folder's name may have at most 43 bytes. "
            "Give each job a short folder on the node's own disk; one with whole nodes (`--exclusive`) meets no other."
        ),
        'ray start --head --temp-dir="/tmp/r-${SLURM_JOB_ID}"',
    ),
    "MN761": (
        "Ray open to all",
        (
            "The dashboard's job API runs any command for whoever reaches its port, as the user who runs Ray; so does "
            "Ray Client's server, and the head's own port lets anybody join. Bind the dashboard to 127.0.0.1 and use "
            "an ssh tunnel, and publish none of them: SkyPilot opens `resources.ports` to the internet, and dstack a "
            "service's `port` with `auth: false`. An address of the node's own (`--dashboard-host=$head_ip`) is a "
            "warning: everybody on that network reaches it, users of other nodes too. Or turn on token authentication "
            "(Ray 2.52 or newer)."
        ),
        "ray start --head --dashboard-host=127.0.0.1",
    ),
    "MN762": (
        "stops other jobs' Ray",
        (
            "`ray stop` ends every Ray process of the user on the node, those of other jobs included. `rm -rf "
            "/tmp/ray` takes the sockets and logs of the others away while they run. Stop the process that this job "
            "started, and give its Ray a folder of its own (`--temp-dir`). Of a job that has whole nodes "
            "(`--exclusive`) nothing is said, unless other jobs of its user may share them (`--exclusive=user`)."
        ),
        'kill "${ray_pid}"',
    ),
    "MN763": (
        "kill by name",
        (
            "Every process of that name on the node ends that is this user's, or as root anyone's; on a shared node "
            "also those of other jobs. Keep the ids of what was started and signal those. Of a job that has whole "
            "nodes (`--exclusive`) this is said only where root sends the signal (`sudo pkill`)."
        ),
        "python3 serve.py &\nserver=$!\ntrap 'kill \"${server}\"' EXIT",
    ),
    "MN764": (
        "start that hides failures",
        (
            "`ray symmetric-run` ends with 0 when `ray start` fails, counts dead nodes as joined, and stops every "
            "Ray of the user on the node. Start Ray with `ray start --block` on each node, wait for all of them, and "
            "run the driver on the head."
        ),
    ),
    "MN765": (
        "cluster without a token",
        (
            "Who reaches a Ray cluster without token authentication can run code in it as its user; on a cluster "
            "network that is everybody. From 2.61 on a token is the default, and nodes without it cannot join: set "
            "RAY_AUTH_MODE one way or the other."
        ),
        'export RAY_AUTH_MODE=token RAY_AUTH_TOKEN_PATH="${HOME}/.ray-token-${SLURM_JOB_ID}"',
    ),
    "MN766": (
        "no driver",
        (
            "The task starts Ray and no driver. It does not end with the training that somebody submits from "
            "outside, holds its nodes after it, and often depends on a terminal that must stay attached. Run the "
            "driver in the task, or end the task from outside on purpose."
        ),
    ),
    "MN767": (
        "log of the submission only",
        (
            "With `--no-wait` the command returns once the job is accepted: its output and exit status say nothing "
            "about the training. It is told where that output is kept in a file or read by another program, and where "
            "a batch script that starts Ray ends with it: Slurm then ends Ray, and the training too. Leave it out, or "
            "follow the job and ask for its status afterwards."
        ),
        'ray job logs --follow "${id}"\nray job status "${id}"',
    ),
    "MN768": (
        "address auto",
        (
            '`address="auto"` joins the newest Ray on the node: under SkyPilot its own, on a shared node another '
            "job's. Export RAY_ADDRESS and call `ray.init()` without arguments."
        ),
        "ray.init()      # takes RAY_ADDRESS",
    ),
    "MN769": (
        "beside SkyPilot's own Ray",
        (
            "SkyPilot runs a Ray of its own on every node, on ports 6380, 8266, 8076 and 52365. A second Ray must "
            "take other ports and another temp dir, or one of the two fails."
        ),
        "ray start --head --port=6379 --dashboard-agent-listen-port=20002 --temp-dir=/tmp/mine",
    ),
}
