# Sets NODE_IP, this node's own address on the way to the head, and the interface that holds it. An image
# may lack the ip program, but where Ray is there is Python.
choose_node_address() {
  local script
  local -a python=(python3)
  command -v python3 >/dev/null || python=("${RAY_PYTHON[@]}") # a wrapper may need a home, or what setup brings
  read -r -d '' script <<'PYTHON' || true
import array, fcntl, ipaddress, socket, struct, sys

six = ":" in sys.argv[1]
with socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_DGRAM) as probe:
    probe.connect((sys.argv[1], 9))  # sends nothing, but the kernel picks the source address
    own = probe.getsockname()[0]
    if six:
        table = [line.split() for line in open("/proc/net/if_inet6")]
        held = [row[5] for row in table if ipaddress.ip_address(bytes.fromhex(row[0])) == ipaddress.ip_address(own)]
    else:
        buffer = array.array("B", bytes(40 * 1024))  # 0x8912 is SIOCGIFCONF, which has all addresses; see netdevice(7)
        asked = struct.pack("iP", len(buffer), buffer.buffer_info()[0])
        size = struct.unpack("iP", fcntl.ioctl(probe, 0x8912, asked))[0]
        rows = [buffer[start : start + 40].tobytes() for start in range(0, size, 40)]
        named = [row[:16].split(b"\0")[0] for row in rows if socket.inet_ntoa(row[20:24]) == own]
        held = [name.decode().split(":")[0] for name in named]  # the rest is a label
print(own, held[0] if held else "")
PYTHON
  read -r NODE_IP NODE_INTERFACE < <("${python[@]}" -c "${script}" "${HEAD_IP}") \
    || fail 75 "no route to the head at ${HEAD_IP}, or ${python[*]} cannot run before setup"
}
