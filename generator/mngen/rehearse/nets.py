"""Networks of simulated nodes: addresses, hosts files and the oddities that sites have."""

from ipaddress import ip_network
from typing import Any

from msgspec import Struct

GATEWAY_4, GATEWAY_6 = "10.77.255.1", "fd77::ffff"


class Net(Struct, frozen=True):
    """How the nodes are connected and named.

    `family` is ipv4, ipv6 or dual. `debian` writes 127.0.1.1 for a node's own name. `nics` is 1 or 2 (the second
    network is 10.78/fd78). `bridge` adds docker0 with the same address everywhere. `ipv4_first` makes resolvers
    prefer IPv4. `suffix` adds names NODE+suffix for the last network. `default_route` may be absent. `interface` and
    `range` name the interface of the last network and where its addresses lie, as `192.168.3.0/24`.
    """

    family: str = "ipv4"
    debian: bool = False
    nics: int = 1
    bridge: bool = False
    ipv4_first: bool = False
    suffix: str = ""
    default_route: bool = True
    interface: str = ""
    range: str = ""

    def has(self, version: int) -> bool:
        """Whether nodes have addresses of this IP version."""
        return self.family in (f"ipv{version}", "dual")

    def addresses(self, number: int, nic: int = 0) -> list[str]:
        """Addresses of node `number` (from 1) on a network, in the order that resolvers prefer."""
        if self.range and nic == self.nics - 1:
            within = ip_network(self.range, strict=False)
            return [str(within[number % within.num_addresses])]
        found = [f"fd{77 + nic}::{number:x}"] if self.has(6) else []
        found += [str(ip_network(f"10.{77 + nic}.0.0/16")[number])] if self.has(4) else []
        return found[::-1] if self.ipv4_first else found

    def hosts(self, names: list[str], own: int) -> str:
        """The /etc/hosts of node `own`."""
        lines = ["127.0.0.1 localhost", "::1 localhost ip6-localhost"]
        for number, name in enumerate(names, start=1):
            if number == own and self.debian:
                lines.append(f"127.0.1.1 {name}")
            else:
                lines += [f"{address} {name}" for address in self.addresses(number)]
            if self.suffix:
                lines += [f"{address} {name}{self.suffix}" for address in self.addresses(number, self.nics - 1)]
        return "\n".join(lines) + "\n"

    def node(self, number: int) -> dict[str, Any]:
        """What the lab needs to wire node `number`."""
        batch = ["link set lo up"]
        ports = {}
        for nic in range(self.nics):
            name = self.interface if self.interface and nic == self.nics - 1 else f"eth{nic}"
            ports[name] = f"p{number}n{nic}"
            batch.append(f"link set {name} up")
            own = self.addresses(number, nic)
            batch += [f"addr add {address}/64 dev {name} nodad" for address in own if ":" in address]
            batch += [f"addr add {address}/16 dev {name}" for address in own if ":" not in address]
        if self.bridge:
            batch += ["link add docker0 type bridge", "addr add 172.17.0.1/16 dev docker0", "link set docker0 up"]
        if self.default_route:
            batch += [f"route add default via {GATEWAY_4} dev eth0"] if self.has(4) else []
            batch += [f"route add default via {GATEWAY_6} dev eth0"] if self.has(6) else []
        off = [["ipv6/conf/default/disable_ipv6", "1"], ["ipv6/conf/all/disable_ipv6", "1"]]
        return {"ports": ports, "ip_batch": batch, "sysctl": [] if self.has(6) or ":" in self.range else off}

    def login(self) -> list[str]:
        """`ip` lines for the lab: the switch that is also the login node."""
        return [
            "link set lo up",
            "link add br0 type bridge",
            "link set br0 up",
            f"addr add {GATEWAY_4}/16 dev br0",
            f"addr add {GATEWAY_6}/64 dev br0 nodad",
        ]


NETS = {
    "ipv4": Net("ipv4"),
    "ipv6": Net("ipv6"),
    "dual": Net("dual"),
    "dual-ipv4-first": Net("dual", ipv4_first=True),
    "debian": Net("ipv4", debian=True),
    "debian-ipv6": Net("ipv6", debian=True),
    "debian-dual": Net("dual", debian=True),
    "two-nics": Net("dual", nics=2, suffix="-ib"),
    "bridges": Net("ipv4", bridge=True),
    "isolated": Net("ipv4", default_route=False),
}
"""The names that `Options.net` takes; a `Net` of one's own is taken as well."""
