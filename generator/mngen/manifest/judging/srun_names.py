"""The options of ``srun`` itself, and what follows each: a value, maybe one, or nothing.

The lists are those of the table in ``checks/tables``, which names its sources; a test holds the two together.
"""

from __future__ import annotations


def _options(names: str) -> frozenset[str]:
    return frozenset(f"--{name}" for name in names.split())


FLAGS = _options(
    """
    async consolidate-segments contiguous disable-status exact help hold label multi-prog no-allocate overcommit
    overlap oversubscribe parsable preserve-env quiet quit-on-interrupt reboot spread-job spread-segments stepmgr
    test-only unbuffered usage use-min-nodes verbose version wait-for-children whole
    """
)
"""Options that stand alone."""
OPTIONAL = _options(
    """
    bcast compress exclusive external-launcher immediate kill-on-bad-exit nice no-kill oom-kill-step propagate pty
    resv-ports send-libs x11
    """
)
"""Options that take a value behind ``=``, or right behind their letter, or none."""
VALUED = _options(
    """
    accel-bind account acctg-freq autocomplete bb bbf bcast-exclude begin chdir cluster-constraint clusters
    comment constraint container container-id core-spec cores-per-socket cpu-bind cpu-freq cpus-per-gpu
    cpus-per-task deadline delay-boot dependency distribution epilog error exclude export extra extra-node-info
    gid gpu-bind gpu-freq gpus gpus-per-node gpus-per-socket gpus-per-task gres gres-flags het-group hint
    ignore-signals input job-name jobid licenses mail-type mail-user mcs-label mem mem-bind mem-per-cpu
    mem-per-gpu mem-update mincpus mpi msg-timeout network nodefile nodelist nodes ntasks ntasks-per-core
    ntasks-per-gpu ntasks-per-node ntasks-per-socket open-mode output partition power prefer priority profile
    prolog qos relative reservation resources segment signal slurmd-debug sockets-per-node switches task-epilog
    task-prolog tasks-per-node thread-spec threads threads-per-core time time-min tmp treewidth tres-bind
    tres-per-task uid wait wckey
    """
)
"""Options that take a value, also as the next word, whatever that is."""
KNOWN = FLAGS | OPTIONAL | VALUED

_LETTERS = """
    A:account B:extra-node-info b:begin C:constraint c:cpus-per-task D:chdir d:dependency E:preserve-env e:error
    F:nodefile G:gpus H:hold h:help I:immediate i:input J:job-name K:kill-on-bad-exit k:no-kill L:licenses l:label
    M:clusters m:distribution N:nodes n:ntasks O:overcommit o:output p:partition Q:quiet q:qos r:relative
    S:core-spec s:oversubscribe T:threads t:time u:unbuffered V:version v:verbose W:wait w:nodelist
    X:disable-status x:exclude Z:no-allocate
"""
SHORTS = {f"-{letter}": f"--{name}" for letter, _, name in (pair.partition(":") for pair in _LETTERS.split())}
"""Plugins have long options only (spank(7)): a letter that is not here is none of srun."""
