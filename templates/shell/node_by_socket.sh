# Sets NODE_IP, this node's own address on the way to the head, and the interface that holds it. An image
# may lack the ip program, but where Ray is there is Python.
choose_node_address() {
  local script
  read -r -d '' script <<'PYTHON' || true
import fcntl, ipaddress, socket, sys

six = ":" in sys.argv[1]
with socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_DGRAM) as probe:
    probe.connect((sys.argv[1], 9))  # sends nothing, but the kernel picks the source address
    own = probe.getsockname()[0]
    if six:
        table = [line.split() for line in open("/proc/net/if_inet6")]
        held = [row[5] for row in table if ipaddress.ip_address(bytes.fromhex(row[0])) == ipaddress.ip_address(own)]
    else:
        held = []
        for _, name in socket.if_nameindex():
            try:  # 0x8915 is SIOCGIFADDR, see netdevice(7)
                answer = fcntl.ioctl(probe, 0x8915, name.encode().ljust(40, b"\0"))
            except OSError:
                continue
            if socket.inet_ntoa(answer[20:24]) == own:
                held.append(name)
print(own, held[0] if held else "")
PYTHON
  read -r NODE_IP NODE_INTERFACE < <("${RAY_PYTHON[@]}" -c "${script}" "${HEAD_IP}") \
    || fail 75 "no route to the head at ${HEAD_IP}"
}
