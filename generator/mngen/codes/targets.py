"""Codes of what the targets say of a manifest's fields. Title, explanation and perhaps an example."""

from __future__ import annotations

TARGET_CODES: dict[str, tuple[str, ...]] = {
    "MN250": (
        "field without effect on this target",
        (
            "The field means nothing where this target runs, and the message says why. That is no mistake where the "
            "field stands at the manifest's top level and other targets use it. A mount that is left out is worth a "
            "look: give the target mounts of its own."
        ),
        "targets: {gcp: {kind: skypilot, mounts: [{source: 's3://bucket/data', target: /data}]}}",
    ),
    "MN251": (
        "field that works otherwise on this target",
        (
            "The field is used, but not as on a cluster's nodes: SkyPilot copies a mount's folder from the machine "
            "that runs `sky`, dstack uploads code with a limit of size, and so on."
        ),
    ),
    "MN252": (
        "field that this target cannot honour",
        (
            "SkyPilot or dstack has no way to do what the field asks, or needs another field for it. The hint names "
            "the way that there is."
        ),
        "targets: {gcp: {kind: skypilot, resources: {gpus: 8}}}     # add gpu_type: h100",
    ),
    "MN257": (
        "mirror that nothing is fetched from",
        (
            "No image, package, source or text of this manifest comes from that host, so its mirror changes nothing. "
            "A site's list may well name more hosts than one manifest needs; a misspelt one belongs mended. "
            "`mngen urls` lists what is fetched, and from where."
        ),
        "mirrors: {images: {dockerhub.io: mirror.example.org/hub}}",
    ),
}
