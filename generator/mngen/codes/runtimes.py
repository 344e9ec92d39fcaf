"""Codes of the rules on runtimes, images, container options and mounts: title, explanation, perhaps an example."""

from __future__ import annotations

RUNTIME_CODES: dict[str, tuple[str, ...]] = {
    "MN270": (
        "runtime and image do not fit",
        (
            "A container runtime needs an image for the target's variant; runtime none uses none; runtime prefix needs "
            "container.prefix. docker and podman start an image as its own user, who can read the folder of a job only "
            "if it is who submits the job, or root: container.user host starts it as who submits."
        ),
    ),
    "MN271": (
        "image file of another runtime",
        (
            "A .sif is started by Apptainer, a .sqsh by pyxis; docker, podman, SkyPilot and dstack take a registry "
            "reference."
        ),
    ),
    "MN272": (
        "bad image reference",
        (
            "image.ref is a registry reference without a scheme (registry/path:tag or @digest), in lower case. Each "
            "target adds the scheme that its runtime wants."
        ),
        "image: {ref: docker://verlai/verl:v1}",
    ),
    "MN273": (
        "image reference that moves",
        (
            "Without a tag, or with latest, nodes may start different images on different days; Ray refuses to mix "
            "versions."
        ),
    ),
    "MN274": (
        "GPU access that does not fit",
        (
            "container.gpu says how the runtime hands GPUs over; the runtime must have that way for GPUs of this "
            "vendor. auto chooses it."
        ),
    ),
    "MN275": (
        "raw container option that mngen decides",
        "A typed field or the launch script writes this option of the runtime. Keep the typed field.",
    ),
    "MN276": (
        "container option that opens or hides the node",
        (
            "The option undoes a property that a job relies on: only its own GPUs, its own processes, the node's "
            "/dev/shm."
        ),
    ),
    "MN277": (
        "mount over the system",
        (
            "A mount over one of the system's own folders hides what programs need, one over /dev/shm what Ray keeps "
            "there, one over ray.temp_dir the job's own folder. Mount below it, or at a path of its own."
        ),
    ),
    "MN278": (
        "two things in one place",
        "Two mounts, or a mount and the code, have the same path inside the runtime.",
    ),
    "MN279": (
        "source that cannot be mounted",
        (
            "A mount's source is an absolute path of the node; buckets are SkyPilot's only. No shell expands a ~; ${{ "
            "env.HOME }} is filled in on the node."
        ),
    ),
    "MN306": (
        "word that is no container option",
        (
            "Each item of container.options is one word for the runtime's client: an option, or the value of the "
            "option before it. A client takes the first other word for its image, or, behind an option that lacks its "
            "value, the next option for that value."
        ),
        "container: {options: [--cap-add=SYS_NICE, registry.example.org/other:1]}",
    ),
}
