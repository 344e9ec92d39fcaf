"""Codes of the lint of foreign files: containers, secrets, devices, SkyPilot, dstack."""

from __future__ import annotations

CONTAINER_CODES: dict[str, tuple[str, ...]] = {
    "MN770": (
        "image's runscript",
        (
            "`apptainer run` hands the command to the image's runscript, which may change the environment, start a "
            "server or ignore the words. `apptainer exec` runs the command itself."
        ),
        "apptainer exec image.sif python3 train.py",
    ),
    "MN771": (
        "GPU option of one vendor",
        (
            "`--nv` brings in NVIDIA's devices and libraries, `--rocm` AMD's. On the other vendor's nodes the "
            "container sees no GPU. A script that asks for a GPU model in its directives is bound to one vendor "
            "anyway, and is left alone."
        ),
        "#SBATCH --gpus-per-node=h100:8",
    ),
    "MN772": (
        "host's environment inside",
        (
            "Apptainer hands over all variables of the host. PYTHONPATH, LD_LIBRARY_PATH, conda's and proxies' then "
            "replace the image's. Pass `--cleanenv` and name what is wanted."
        ),
        "apptainer exec --cleanenv --env HF_HOME=/hf image.sif …",
    ),
    "MN773": (
        "working folder inside",
        (
            "Without `--pwd` the command starts where the caller stands, if the container has that folder, else in "
            "the home folder: relative paths then lead elsewhere, without a word."
        ),
        'apptainer exec --bind "${code}:/work" --pwd /work image.sif …',
    ),
    "MN774": (
        "prune on a shared node",
        (
            "A prune deletes images, stopped containers or caches of all users of the node, and their next job pulls "
            "or builds anew. Remove what this job made, by name."
        ),
        'docker image rm "${image}"',
    ),
    "MN775": (
        "image made on every node",
        (
            "Nodes that pull a moving tag or build for themselves may get different images, do it in the job's time, "
            "and meet the registry's rate limit. Build once, push, and run by digest."
        ),
        "docker run registry.example.org/train@sha256:…",
    ),
    "MN776": (
        "image found by name",
        (
            "A search of the image list for a part of a name finds any image of that name, however old, and a stale "
            "one is kept for ever. Ask for one digest."
        ),
        'docker image inspect "${image}@${digest}"',
    ),
    "MN777": (
        "container name of all jobs",
        (
            "A fixed name fails for the second job on a node, or removes the first one's container. Put the job's "
            "number into it. In a script that is no job and starts nothing on other machines it is a note."
        ),
        'docker run --rm --name "train-${SLURM_JOB_ID}" …',
    ),
    "MN778": (
        "container outlives the job",
        (
            "A detached container is the daemon's child: the job's limits on memory, CPUs and GPUs do not hold for "
            "it, and it keeps running after the job. Run it in the foreground as the step itself. In a script that "
            "is no job and starts nothing on other machines it is a note."
        ),
        'srun docker run --rm --init --name "train-${SLURM_JOB_ID}" image …',
    ),
    "MN779": (
        "privileged container",
        (
            "It is root on the node and sees every GPU, whatever the job was given. Name the devices and "
            "capabilities that are needed."
        ),
        "docker run --device /dev/kfd --device /dev/dri --group-add video …",
    ),
    "MN780": (
        "user's keys in a container",
        (
            "A mounted home or .ssh folder gives the user's keys to whatever runs in the container, and a process "
            "that is root there leaves root's files in it. Mount the folders that are needed, and run as the user. "
            "SkyPilot's `file_mounts` copy a key to every node: a warning, since some repositories need one."
        ),
        'docker run --user "$(id -u):$(id -g)" --volume "${data}:/data" …',
    ),
    "MN781": (
        "variable not handed in",
        (
            "docker and podman pass no variables of the shell that starts them. Name each with `-e`; without a value "
            "it is taken from the environment, and a secret stays off the command line."
        ),
        "docker run -e WANDB_API_KEY …",
    ),
    "MN782": (
        "environment in the log",
        "A dump of the environment writes every token to a log that others can read. Print variables by name.",
        'echo "HF_HOME=${HF_HOME}"',
    ),
    "MN783": (
        "secret on a command line",
        (
            "Every user of a node can read the arguments of its processes, and logs keep them, as they keep what "
            '`echo`, `printf` and `cat` print. A variable made of a secret (`COMMAND="KEY=$KEY train"`, or a '
            "here-document whose end word has no quotes) holds its value too. Most programs read the variable "
            "themselves; else hand it over in a file of mode 600 or on standard input. A few of its characters "
            "(`${HF_TOKEN:0:3}`) are a note."
        ),
        "docker run -e HF_TOKEN=$HF_TOKEN …     # wrong\ndocker run -e HF_TOKEN …               # right",
    ),
    "MN784": (
        "secret in a file",
        (
            "A token in a script, an ARG or an ENV is known to everybody who has the file or the image: an ARG's "
            "value stays in the image's history, an ENV's in its configuration. Take it from the environment of "
            "whoever submits, or mount it for the one build step. One that was checked in must be revoked."
        ),
        'RUN --mount=type=secret,id=hf HF_TOKEN="$(cat /run/secrets/hf)" hf download …',
    ),
    "MN785": (
        "several device lists",
        (
            "ROCR, HIP and CUDA lists are applied one after the other, and each renumbers the devices that the one "
            "before has left. Ray refuses ROCR beside another one from 2.45 on. On AMD keep HIP_VISIBLE_DEVICES and "
            "unset ROCR_VISIBLE_DEVICES, which Slurm sets; on NVIDIA set none."
        ),
        "export HIP_VISIBLE_DEVICES=${ROCR_VISIBLE_DEVICES}\nunset ROCR_VISIBLE_DEVICES",
    ),
    "MN786": (
        "fixed list of devices",
        (
            "The list is the same on every node, whatever devices the job was given there: on a shared node it names "
            "another job's GPUs. Leave it to the launcher. In a script for one machine it is a note."
        ),
    ),
    "MN787": (
        "network settings in the job",
        (
            "Names of network hardware (`mlx5_0`, a GID index) hold for one cluster and belong to the site's "
            "settings. NCCL_DEBUG=TRACE floods the logs of every rank, and NCCL_CHECKS_DISABLE turns wrong arguments "
            "into hangs: both are for an hour of debugging."
        ),
    ),
    "MN788": (
        "tool that may be missing",
        "Under errexit a tool that only reports ends the job on a node where it is not installed. Test for it first.",
        "command -v ibdev2netdev >/dev/null && ibdev2netdev || true",
    ),
    "MN789": (
        "model loaded to download it",
        (
            "A transformers pipeline loads the whole model into memory to fill the cache, on one node. Download it "
            "before the job, into a cache that every node sees."
        ),
        "hf download Qwen/Qwen2.5-7B-Instruct",
    ),
    "MN790": (
        "source that moves",
        (
            "A clone, archive or package without a tag or commit is another program every day, and nodes that fetch "
            "at different moments differ. A branch (`main`) moves as well."
        ),
        (
            "RUN git clone --branch v0.6.1 https://github.com/volcengine/verl\n"
            "RUN pip install git+https://github.com/NVIDIA/apex@0a1b2c3"
        ),
    ),
    "MN791": (
        "installs at every start",
        (
            "Each node installs for itself, in the job's time, and not always the same versions. Put it into the "
            "image, or install from a requirements or constraints file that pins them."
        ),
        "pip install --constraint constraints.txt ray",
    ),
    "MN792": (
        "SkyPilot secret without value",
        (
            "A null secret is an error in releases 0.10 to 0.12 unless the launch names it, and a reference to a "
            "stored secret from 0.13 on. Say in the file how to launch it."
        ),
        "# sky launch --secret HF_TOKEN task.sky.yaml\nsecrets: {HF_TOKEN: null}",
    ),
    "MN793": (
        "relative mount target",
        "SkyPilot puts a relative target below ~/sky_workdir, not below the home folder. Write it in full.",
        "file_mounts: {~/data: ./data}",
    ),
    "MN794": (
        "syntax of bash without bash",
        (
            "With an image dstack runs commands in /bin/sh, in Debian and Ubuntu images dash: `[[`, arrays, `<<<` "
            "and pipefail fail there, and `==` in `[ ]` is an error. Ask for bash."
        ),
        "shell: bash",
    ),
    "MN795": (
        "dstack waits for workers",
        (
            "Without `stop_criteria: master-done` a run of several nodes ends only when every node has ended, and "
            "workers that wait for the head never do: those that join Ray, or sleep in a branch. Of workers that "
            "end with their work, such as those of torchrun, nothing is said."
        ),
        "stop_criteria: master-done",
    ),
    "MN796": (
        "errexit off in a block",
        (
            "dstack joins the commands with `&&`, and bash turns errexit off inside such a list: in a block of "
            "several lines a failing one does not stop the next, even with `set -e`. Carry the script as a file and "
            "run it with one command."
        ),
        "files: [boot.sh:/opt/boot.sh]\ncommands: [bash /opt/boot.sh]",
    ),
    "MN709": (
        "registry that an older enroot does not see",
        (
            "pyxis and enroot join a registry and an image by `#`. With `/`, as docker writes it, releases of enroot "
            "before 4.0 take the name of the registry for a folder of Docker Hub, where no such image is."
        ),
        "srun --container-image=nvcr.io#nvidia/pytorch:25.01-py3 …",
    ),
    "MN797": (
        "checkpoints on one instance",
        (
            "A folder of an instance is seen by that instance alone, and goes with it: the parts of a sharded "
            "checkpoint end up on different disks. Use a network file system that all instances mount; a volume is "
            "attached to one instance at a time."
        ),
        "volumes: [/mnt/nfs/checkpoints:/checkpoints]      # a network file system of the fleet",
    ),
}
