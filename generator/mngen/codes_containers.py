"""Codes of the lint of foreign files: containers, secrets, SkyPilot, dstack. Title and explanation."""

from __future__ import annotations

CONTAINER_CODES: dict[str, tuple[str, ...]] = {
    "MN770": (
        "image's runscript",
        ("`apptainer run` hands the command to the image's runscript. `apptainer exec` runs the command itself."),
    ),
    "MN771": (
        "GPU option of one vendor",
        ("`--nv` serves NVIDIA, `--rocm` AMD. On the other vendor's nodes the container sees no GPU."),
    ),
    "MN772": (
        "host's environment inside",
        (
            "Apptainer hands over all variables of the host. PYTHONPATH, conda and proxies then replace the image's. "
            "Pass `--cleanenv` and name what is wanted."
        ),
    ),
    "MN773": (
        "working folder inside",
        (
            "Without `--pwd` the command starts where the caller stands, if the container has that folder, else in "
            "the home folder."
        ),
    ),
    "MN774": (
        "prune on a shared node",
        ("A prune deletes images, containers or caches that other users of the node need."),
    ),
    "MN775": (
        "image made on every node",
        (
            "Nodes that pull a moving tag or build for themselves differ, and do it in the job's time. Build once, "
            "push, and run by digest."
        ),
    ),
    "MN776": (
        "image found by name",
        ("A part of a name in the image list may be any old image. Ask for one digest."),
    ),
    "MN777": (
        "container name of all jobs",
        ("A fixed name fails for the second job on a node. Put the job's number into it."),
    ),
    "MN778": (
        "container outlives the job",
        (
            "A detached container belongs to the daemon: the job's limits do not hold for it, and it keeps GPUs after "
            "the job. Run it in the foreground as the step itself."
        ),
    ),
    "MN779": (
        "privileged container",
        ("It is root on the node and sees every GPU. Name the devices and capabilities that are needed."),
    ),
    "MN780": (
        "user's keys in a container",
        (
            "A mounted home or .ssh folder gives the user's keys to whatever runs in the container. Mount the folders "
            "that are needed."
        ),
    ),
    "MN781": (
        "variable not handed in",
        (
            "docker and podman pass no variables of the shell that starts them. Pass names with `-e NAME`, without "
            "values for secrets."
        ),
    ),
    "MN782": (
        "environment in the log",
        ("A dump of the environment writes every token to a log that others can read. Print variables by name."),
    ),
    "MN783": (
        "secret on a command line",
        (
            "Every user of a node can read the arguments of its processes, and logs keep them. Leave secrets in the "
            "environment or in a file of mode 600."
        ),
    ),
    "MN784": (
        "secret in a file",
        (
            "A token in a script, an ARG or an ENV is known to everybody who has the file or the image. Take it from "
            "the environment of whoever submits, or mount it for the one build step."
        ),
    ),
    "MN785": (
        "several device lists",
        (
            "HIP, ROCR and CUDA lists are applied one after the other and renumber each other's devices. Ray refuses "
            "ROCR beside another one from 2.45 on. Keep one."
        ),
    ),
    "MN786": (
        "fixed list of devices",
        ("It ignores what the job was given on each node. Leave the list to the launcher."),
    ),
    "MN787": (
        "network settings in the job",
        (
            "Names of one cluster's network hardware belong to the site's settings, debugging levels to an hour of "
            "debugging."
        ),
    ),
    "MN788": (
        "tool that may be missing",
        ("Under errexit a tool that only reports ends the job where it is not installed. Test for it first."),
    ),
    "MN789": (
        "model loaded to download it",
        (
            "A transformers pipeline loads the whole model. Download it into a cache that every node sees, before the "
            "job."
        ),
    ),
    "MN790": (
        "source that moves",
        ("A clone without a tag or commit gives another program every day, and may differ between nodes."),
    ),
    "MN791": (
        "installs at every start",
        ("Each node installs for itself, in the job's time, and not always the same versions. Put it into the image."),
    ),
    "MN792": (
        "SkyPilot secret without value",
        (
            "A null secret is an error from 0.10 to 0.12 unless the launch names it, and a stored secret's reference "
            "from 0.13 on. Say in the file how to launch it."
        ),
    ),
    "MN793": (
        "relative mount target",
        ("SkyPilot puts a relative target below ~/sky_workdir. Write it in full."),
    ),
    "MN794": (
        "dstack without a shell",
        ("With an image dstack runs commands in /bin/sh, where bash's own syntax fails. Add `shell: bash`."),
    ),
    "MN795": (
        "dstack waits for workers",
        ("Without `stop_criteria: master-done` a run of several nodes ends only when every node has ended."),
    ),
    "MN796": (
        "errexit off in a block",
        (
            "dstack joins commands with `&&`, and inside such a list errexit does not hold. Carry the script as a "
            "file and run it with one command."
        ),
    ),
    "MN797": (
        "checkpoints on one instance",
        (
            "A folder of an instance is not shared, and goes with the instance. Use a volume or a bucket that all "
            "nodes see."
        ),
    ),
}
