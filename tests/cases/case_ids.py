"""What goes wrong in launch files of many nodes: each case by its number, with at least one test in `test_<area>.py`.

A test's name begins with its case: `test_b14_…`. Numbers are never used again.
"""

AREAS = {
    "address": {
        "B01": "the head's address is the longest or the first of a list, or a link-local one",
        "B04": "without an address of the family asked for, Ray starts on whatever there is",
        "B06": "an IPv6 address without brackets before a port, or with them where none belong",
        "B09": "Gloo gets NCCL's list of interfaces, and takes one only",
        "B11": "the resolver says IPv6 first, the head listens on IPv4",
        "B12": "all nodes are given the head's address as their own",
        "B13": "calls between nodes go to the site's proxy",
    },
    "ports": {
        "B14": "two jobs on one node want the same ports",
        "B20": "the driver, or Ray, takes a stale or a wrong address from the environment",
        "B21": "the limit of open files is too low for Ray",
        "B22": "/dev/shm is too small, or sized where nobody reads it",
    },
    "nodes": {
        "B23": "a node gets its part twice or not at all, or the allocation has another size",
        "B25": "names of nodes are compared as text, so that two are the head or none is",
        "B26": "Slurm's programs are called inside the container, where there are none",
        "B28": "an optional block leaves half a command behind",
        "B33": "no CPU count where Slurm sets none",
        "B34": "the step has one CPU, because srun no longer takes the count from the job",
        "B36": "Slurm's compressed counts, `8(x2)`, are calculated with",
        "B37": "Ray counts the whole machine's CPUs and GPUs, not the job's",
        "B39": "nodes are counted and GPUs are not, or a head without GPUs is waited for",
        "B40": "more tasks a node start more Rays on it",
        "B43": "two directives ask for memory in two ways",
    },
    "directives": {
        "B51": "the log's folder is missing, and the job dies without a word",
        "B52": "a directive has a variable, which nobody expands",
        "B53": "a word that separates parts of a job stands in it",
        "B56": "two exports, of which the last one wins",
        "B57": "an export drops the rest of the environment",
        "B58": "the submitting shell's variables override directives, or those of the job miss in its step",
        "B60": "an option that is not known is dropped, or reread by a shell",
        "B61": "a second attempt finds the first one's files, or empties its log",
    },
    "lifecycle": {
        "B62": "a worker gives up on a late head, or waits for ever for one that never comes",
        "B64": "nodes or GPUs are counted wrongly, so that the driver starts too early or never",
        "B65": "Ray or a service dies, and the job goes on or names nobody",
        "B66": "the driver's end is not the job's, or its status is lost",
        "B70": "a signal leaves processes behind, or hides why the job failed",
        "B72": "nodes share a rank",
        "B73": "the file looks for its own folder, which is Slurm's spool",
        "B75": "Ray sees the launcher's variables and takes them for its own",
    },
    "quoting": {
        "B78": "a comma ends a value",
        "B80": "a blank splits a value or a path",
        "B81": "a value that looks like shell text is changed",
        "B82": "a substitution in a value is run",
        "B84": "YAML turns words and numbers into something else: `NO`, `0755`, `1e-6`",
        "B86": "a dollar is expanded where it is text, or not where it is a placeholder",
        "B87": "JSON loses its quotes",
    },
    "yaml": {
        "B93": "a key is written twice, and the last one wins in silence",
        "B94": "a colon makes a map of a text",
        "B97": "a `#` cuts a text off",
    },
    "driver_args": {
        "B98": "equals signs and inner quotes of an argument are lost",
        "B100": "prefixes of overrides (`+`, `++`, `~`) or their order are lost",
        "B101": "a number is spelled anew",
        "B102": "a list that is meant as text becomes a list",
        "B106": "arguments at submission arrive as one string",
    },
    "pyxis": {
        "B107": "registry and path without a `#` between them",
        "B109": "the image's value of a variable wins over the manifest's",
        "B110": "a container's name brings a stale container back",
        "B112": "a site's settings decide whether home is mounted and the image can be written to",
    },
    "apptainer": {
        "B115": "the definition's header has a key without a value",
        "B117": "the way to GPUs is fixed, and the site has the other one",
        "B120": "variables of the definition differ from those of the Dockerfile",
    },
    "docker": {
        "B123": "a requirement with a sign of the shell is no single word",
        "B124": "the classic builder gets what only BuildKit reads",
        "B126": "the client's own settings are overridden, or a missing daemon is not named",
        "B128": "a build argument is not declared in the stage that reads it",
        "B129": "a later install replaces the pinned torch",
        "B131": "another Ray is on a node, or driver and Ray come from two installations",
    },
    "rocm": {
        "B133": "the list of GPUs has too many, too few or equal ids",
        "B136": "the list of architectures has the other vendor's separator",
    },
    "skypilot": {
        "B137": "the job meets SkyPilot's own Ray on its ports, or stops it",
        "B139": "a search of processes or lines finds what was not meant",
    },
    "dstack": {"B141": "a run has a name that dstack refuses"},
    "generator": {
        "B145": "a mark of a template is left in the file",
        "B146": "an older bash fails somewhere in the middle",
    },
}
