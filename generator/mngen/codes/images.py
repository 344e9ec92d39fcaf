"""Codes of the rules on described images: title, explanation, perhaps an example."""

from __future__ import annotations

IMAGE_CODES: dict[str, tuple[str, ...]] = {
    "MN801": (
        "bad name of an image",
        (
            "image.repository is a registry and a repository in lower case, without a tag; each variant adds a tag of "
            "its own. `latest` moves under running jobs, and one tag for two variants would push one over the other."
        ),
        "image: {repository: registry.example.org/RL/verl}",
    ),
    "MN802": (
        "bad base image",
        (
            "base is one reference, written out, with a tag or a digest. Without one, or with `latest`, the same "
            "manifest builds something else next week."
        ),
        "base: nvidia/cuda",
    ),
    "MN803": (
        "variable that belongs to the cluster",
        (
            "Apptainer and pyxis let an image's variable win over the job's. What differs from job to job or node to "
            "node must not be in an image: put it into the manifest's own env, or leave it to the launch script."
        ),
        "image: {env: {image: {NCCL_SOCKET_IFNAME: eth0}}}",
    ),
    "MN804": (
        "variable set in two ways",
        (
            "A variable stands in env.prepend and in env.image or env.build, or is one that mngen writes from another "
            "field (PATH would lose the base's folders). The hint names the field to use."
        ),
        "image: {env: {image: {PATH: /opt/tools/bin}}}",
    ),
    "MN805": (
        "text that an image file cannot hold",
        (
            "ENV, ARG and LABEL of a Dockerfile are single lines, and neither file format holds control characters. "
            "Write the value into a file in a step instead."
        ),
    ),
    "MN806": (
        "GPU architecture that does not fit",
        (
            "gpu_arch names architectures of the variant's own vendor, which the base's CUDA or ROCm can compile for. "
            "ROCm releases compare by number: 7.14 is newer than 7.2."
        ),
        "variants: {cuda: {base: 'nvidia/cuda:12.4.1-devel-ubuntu22.04', gpu_arch: ['10.0']}}",
    ),
    "MN807": (
        "copy that does not work alike everywhere",
        (
            "Sources lie below the manifest's folder, which is all that a builder sees; a folder ends in `/`; `from` "
            "names a stage that stands earlier. Other characters in paths mean other things to Apptainer."
        ),
        "files: [{source: ../shared/entry.sh, target: /entry.sh}]",
    ),
    "MN808": (
        "stage names collide",
        (
            "Each build stage needs a name of its own, because `from` and the Dockerfile refer to stages by name. "
            "`scratch` and `context` are builders' own words, for an empty base and for the folder sent to them."
        ),
    ),
    "MN809": (
        "build secrets that the builder cannot mount",
        (
            "The classic builder cannot mount a secret for one step; anything else it could do would keep it in the "
            "image. Set builder: buildkit or podman."
        ),
        "image: {builder: classic, secrets: [netrc]}",
    ),
    "MN810": (
        "credential in an image",
        (
            "Everybody who can pull the image can read its variables, labels, commands and history. Give the value to "
            "the build as a secret: image.secrets, or secrets of the step, read from /run/secrets/ID."
        ),
        "pip: {index_url: 'https://user:password@wheels.example.org/simple'}",
    ),
    "MN811": (
        "one package pinned twice",
        "Two exact versions of one package cannot both be installed. Common packages and a variant's own are one list.",
        "pip: {packages: [ray==2.51.0, ray==2.52.1]}",
    ),
    "MN812": (
        "requirement that pip reads otherwise",
        (
            "Each requirement becomes one word for pip (PEP 508): a name, extras, versions and a marker. Remarks "
            "are YAML comments. Options are no part of it: what is compiled against the installed torch, such "
            "as flash-attn, stands in pip.no_build_isolation; others have fields of their own or belong into a step."
        ),
        "pip: {packages: ['vllm<0.9  # tested']}",
    ),
    "MN813": (
        "source that moves",
        (
            "A branch means another commit tomorrow, and a tag can be moved. Write the full commit id where a rebuild "
            "must give the same source."
        ),
        "git: [{url: https://github.com/volcengine/verl, ref: main, path: /opt/verl}]",
    ),
    "MN814": (
        "wheel index not known",
        (
            "torch.wheel_index needs the CUDA or ROCm version to find the index below it, and the base's tag does not "
            "tell. Write it as toolkit."
        ),
        "variants: {cuda: {base: 'nvcr.io/nvidia/pytorch:25.03-py3', toolkit: '12.8'}}",
    ),
    "MN815": (
        "checkout in the way",
        (
            "Sources are checked out into folders of their own: not into a folder of the system, never two into one, "
            "and not over files that were copied early. Other files of yours are copied into a checkout right after it."
        ),
        "git: [{url: https://github.com/volcengine/verl, ref: v0.6.0, path: /}]",
    ),
    "MN816": (
        "Python that the base does not have",
        (
            "On a base without Python the distribution's own is installed, and each release has one: Ubuntu 22.04 has "
            "3.10, 24.04 has 3.12, Debian 12 has 3.11. On other bases the build compares the version before it "
            "fetches any package."
        ),
        'pip: {packages: [verl]}\nvariants: {cuda: {base: "nvidia/cuda:12.8.1-devel-ubuntu22.04", python: "3.11"}}',
    ),
    "MN817": (
        "base without bash",
        (
            "Steps of an image and its jobs run by bash. Alpine, BusyBox, distroless images and scratch have none, so "
            "the first step fails. Start from Debian, Ubuntu or one of Red Hat's. A stage without apt, files and steps "
            "runs nothing, so an image can copy files from any base."
        ),
        "stages: [{name: tools, base: 'golang:1.23-alpine', steps: [go install example.org/tool@v1]}]",
    ),
    "MN818": (
        "too large for an image's file",
        (
            "Builders read lines of a Dockerfile of at most 65535 bytes, and Apptainer sections of a definition file "
            "of about as many, %post with all steps among them; a step is one argument of its shell, of at most "
            "131071 bytes. Keep long text in a file beside the manifest, which `files` copies into the image."
        ),
    ),
    "MN819": (
        "user that the base cannot have",
        (
            "user is an account for the job: a name or id that the base has for itself (root, nobody, 65534) is "
            "refused; leave user out to run as root. Podman without root maps 65536 ids to a user unless /etc/subuid "
            "and /etc/subgid say more, so a larger one is a warning where podman is used."
        ),
        "image: {user: {name: root}}",
    ),
    "MN820": (
        "copied file that is not as it should be",
        (
            "What an image copies lies beside the manifest when the image is built. A file that is not there now may "
            "be made until then. Apptainer copies what links lead to, also from outside, and fails at one that leads "
            "nowhere; Docker and podman copy the links."
        ),
        "files: [{source: entry.sh, target: /usr/local/bin/entry}]     # and there is no entry.sh",
    ),
    "MN821": (
        "commit id that is cut short",
        (
            "A git server gives out branches, tags and whole commit ids, never a commit by the beginning of its id, so "
            "the checkout fails. Write all 40 digits. A tag of such a name is known once `mngen lock` has found it."
        ),
        "git: [{url: https://github.com/volcengine/verl, ref: 1f2e3d4, path: /opt/verl}]",
    ),
    "MN822": (
        "image without Ray",
        (
            "A distribution's image and a bare CUDA or ROCm one have no Python packages, and nothing in the "
            "description adds any. Every node would end at its check (77), after the wait in the queue. Where `setup` "
            "installs Ray there is no such warning."
        ),
        "image: {repository: x.example.org/a, variants: {cuda: {tag: '1', base: 'ubuntu:24.04'}}}",
    ),
}
