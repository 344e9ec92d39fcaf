"""What is on a node: the difference between before and after a job is what the job left there."""

from dataclasses import dataclass

from lab import Lab, LabError, wait_until

# Each line says what kind of thing it is. Processes of Slurm, of a node's init and of this look itself are left out, and
# what container engines keep for themselves; their containers are listed.
LOOK = r"""
ps -eo pid=,ppid=,user:20=,args= | while read -r pid parent user args; do
  case ${args} in
    slurmd\ * | slurmstepd:* | "sleep 86400" | "bash /srv/lab/node-init.sh"*) continue ;;
    dockerd\ * | containerd\ * | "catatonit -P") continue ;;
  esac
  [[ ${pid} == $$ || ${parent} == $$ || ${parent} == 0 ]] || echo "process ${user} ${args}"
done
find /tmp /var/tmp /dev/shm /run /srv/lab/home -mindepth 1 ! -path '/srv/lab/home/*/work*' ! -name 'slurm-*.out' \
  ! -name 'slurm-*.err' ! -name .bash_history ! -path '/tmp/podman-run-*' ! -path '/tmp/containers-user-*' ! -name 'libpod_*lock*' \
  ! -path '*/.config/cni*' ! -path '*/.cache/containers*' ! -path '/run/docker*' ! -path '/run/containerd*' -printf 'file %p\n'
grep -v ' /run/docker/netns/default ' /proc/self/mounts | sed 's/^/mount /'
ss -Hltun | awk '{print "socket", $1, $5}' | grep -v ':6818$'
ip -o link | sed 's/^/link /'
[[ ! -S /run/docker.sock ]] || docker ps --all --format 'container {{.Names}}'
[[ ! -d /local/podman-alice ]] || setpriv --reuid=alice --regid=alice --init-groups \
  env HOME=/srv/lab/home/alice podman ps --all --format 'container {{.Names}}' 2>/dev/null
"""


def look(lab: Lab, node: str) -> frozenset[str]:
    """What is on a node now."""
    return frozenset(lab.run("bash", "-c", LOOK, node=node).stdout.splitlines())


@dataclass(frozen=True, slots=True)
class Before:
    """The state of all nodes before a job."""

    lab: Lab
    state: dict[str, frozenset[str]]

    @classmethod
    def of(cls, lab: Lab) -> "Before":
        """Look at all nodes now."""
        return cls(lab, {node: look(lab, node) for node in lab.shape.names})

    def left(self, *, without: tuple[str, ...] = (), but: str = "") -> dict[str, list[str]]:
        """What is there now and was not before, of each node, besides lines that hold a text; empty when nothing is."""
        nodes = [node for node in self.state if node not in without]
        found = {node: sorted(look(self.lab, node) - self.state[node]) for node in nodes}
        kept = {node: [line for line in lines if not but or but not in line] for node, lines in found.items()}
        return {node: lines for node, lines in kept.items() if lines}

    def expect_nothing_left(self, *, seconds: float = 10, without: tuple[str, ...] = (), but: str = "") -> None:
        """Wait for what a job's end takes.

        Raises:
            AssertionError: Something is still there.
        """
        try:
            wait_until("nothing is left", lambda: not self.left(without=without, but=but), seconds)
        except LabError:
            lines = [f"{node}: {line}" for node, found in self.left(without=without, but=but).items() for line in found]
            raise AssertionError("left behind:\n" + "\n".join(lines)) from None
