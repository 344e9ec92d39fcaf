"""Where Ray's dashboard listens: addresses that others on the network reach, and those of the machine itself."""

from rule_beginnings import SB, SKY

REACHED = (
    *("--dashboard-host=10.0.0.1", "--dashboard-host 192.168.1.7", "--dashboard-host='[fd00::7]'"),
    *("--dashboard-host=node01", "--dashboard-host=$(hostname -i)", '--dashboard-host="$(hostname)"'),
    *('--dashboard-host="$head_ip"', "--dashboard-host=$MASTER_ADDR", "--dashboard-host ${NODE_ADDRESS}"),
    *("--dashboard-host=$SLURMD_NODENAME", '--dashboard-host="${ips[0]}"', '--dashboard-host="${ip%% *}"'),
    "--dashboard-host=${HOST_IP:-10.0.0.1}",
)
GIVEN = (
    *(
        "h=10.0.0.1",
        "h=$(hostname -I | cut -d' ' -f1)",
        'h=$(srun -N1 -n1 -w "$n" hostname -i)',
        "read -r h _ <<< $SKYPILOT_NODE_IPS",
    ),
    *('h="${ips[0]}"', "h=$(getent ahosts x)", "export h=node7"),
)
OWN = (
    *("--dashboard-host=127.0.0.1", "--dashboard-host localhost", "--dashboard-host='[::1]'", "--dashboard-host=::1"),
    *("--dashboard-host=127.1.2.3", "--dashboard-host=localhost.localdomain", "--dashboard-host=ip6-localhost"),
    # nobody knows what is in it, or it is the machine's own if nobody says otherwise
    *('--dashboard-host="$DASHBOARD_HOST"', "--dashboard-host=${DASHBOARD_HOST:-127.0.0.1}", "--dashboard-host="),
    *("--dashboard-host=${HEAD_IP:-localhost}", "--dashboard-host=$1", "--include-dashboard=false", ""),
)
EVERY = ("--dashboard-host=${HOST:-0.0.0.0}", "--dashboard-host=$h", "--dashboard-host ${h}")
START = "ray start --head --block"

# code, file name, a text without that defect
RIGHT = [
    *(("MN761", "a.sh", f"{START} {option}\n") for option in OWN),
    *(("MN761", "a.sh", f"h={own}\n{START} --dashboard-host=$h\n") for own in ("127.0.0.1", "localhost", "${x:-::1}")),
    *(("MN761", "a.sh", f"export RAY_AUTH_MODE=token\n{START} {option}\n") for option in REACHED),
    # two values, one of them the machine's own
    ("MN761", "a.sh", f"h=127.0.0.1\nif x; then h=$H; fi\n{START} --dashboard-host=$h\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(("MN761", "a.sh", f"{START} {option}\n", 1) for option in REACHED),
    *(("MN761", "a.sh", f"{given}\n{START} --dashboard-host=$h\n", 2) for given in GIVEN),
    *(("MN761", "a.sh", f"h=0.0.0.0\n{START} {option}\n", 2) for option in EVERY),
    ("MN761", "a.sbatch", SB + f'srun bash -c "{START} --dashboard-host=$head_ip"\n', 3),
    ("MN761", "a.sky.yaml", f"envs: {{H: 10.0.0.1}}\n{SKY}  {START} --dashboard-host=$H\n", 4),
]

# code, file name, a text with that defect: how grave it is
SEVERITY = {
    **{("MN761", "a.sh", f"{START} {option}\n"): "warning" for option in REACHED},
    **{("MN761", "a.sh", f"{given}\n{START} --dashboard-host=$h\n"): "warning" for given in GIVEN},
    **{("MN761", "a.sh", f"h=0.0.0.0\n{START} {option}\n"): "error" for option in EVERY},
    # a port that everybody reaches is open, whichever address the server has
    ("MN761", "a.sky.yaml", f"resources: {{ports: 8265}}\n{SKY}  {START} --dashboard-host=$head_ip\n"): "error",
}
