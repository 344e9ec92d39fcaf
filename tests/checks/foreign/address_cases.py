"""Addresses of one family: which variables can hold nothing else."""

# how a variable gets an address that is IPv4 for sure
OF_IPV4 = (
    "ip=$(ip -4 -o addr show eth0 | awk '{print $4}' | cut -d/ -f1)",
    'ip=$(srun -N1 -n1 -w "$h" ip -o -4 addr show eth0)',
    'ip=$(ssh "$h" "ip -4 addr show eth0 | head -n 1")',
    "ip=$(getent ahostsv4 \"$h\" | awk '{print $1; exit}')",
    "ip=10.0.0.1",
    'a=$(getent ahostsv4 "$h")\nip=${a%% *}',
    "ip=$(ip -4 addr show eth0)\nip=${ip%%/*}",
    'a=$(ip -4 addr show eth0)\nip=$(echo "$a" | cut -d/ -f1)',
    'if [[ -n $dev ]]; then\n  ip=$(ip -4 addr show "$dev")\nelse\n  ip=$(getent ahostsv4 "$h")\nfi',
)
# and how it gets one that may be of either
OF_EITHER = (
    "ip=$(hostname -i)",
    "ip=$1",
    'ip=$(getent ahosts "$h")',
    "ip=$(ip -4 addr show eth0 || hostname -i)",
    "ip=$(ip -6 addr show eth0)",
    "if x; then\n  ip=$(ip -4 addr show eth0)\nelse\n  ip=$(hostname -I)\nfi",
    "ip=$(ip -4 addr show eth0)\nip=${other%%/*}",
    "a=$(hostname -i)\nip=$a",
    "ip=$ip",
    "ip=$(ip -4 addr show eth0)\nip=${ip:-$(hostname -i)}",
    'ip=10.0.0.1\nip=$(echo "$ip" | x || hostname -i)',
    "ip=10.0.0.1\nip+=,$1",
    "read -r ip < <(ip -4 addr show eth0)",
)

# code, file name, a text without that defect
RIGHT = [("MN753", "a.sh", f'{text}\nray start --address "$ip:6379"\n') for text in OF_IPV4]

# code, file name, a text with that defect, its line
WRONG = [
    *(("MN753", "a.sh", f'{text}\nray start --address "$ip:6379"\n', text.count("\n") + 2) for text in OF_EITHER),
    ("MN752", "a.sh", "ip=$(ip -4 addr show eth0)\n", 1),
]
