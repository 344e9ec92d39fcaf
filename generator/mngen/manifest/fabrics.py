"""What each fabric between the nodes needs, in one table: images, launch files and rules read the same row."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

_NCCL = "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html#nccl-net"
_SYSFS = "https://docs.kernel.org/infiniband/sysfs.html"
_VERBS = "https://github.com/linux-rdma/rdma-core/blob/master/Documentation/libibverbs.md"
_PLUGIN = "https://github.com/aws/aws-ofi-nccl/pull/530"


class Fabric(Struct, frozen=True, kw_only=True):
    """One fabric. Everything but ``net`` may be empty: then nothing is needed there."""

    title: str
    """What people call it."""
    net: str
    """NCCL's and RCCL's name of the transport. Named, a transport that cannot be used is an error; unnamed, both
    fall back to TCP without a word."""
    env: tuple[tuple[str, str], ...] = ()
    """Further variables of the job."""
    packages: tuple[str, ...] = ()
    """Packages of the libraries, for images on Debian and Ubuntu."""
    probe: str = ""
    """Shell text that succeeds in an image which has the libraries."""
    probe_why: str = ""
    devices: tuple[str, ...] = ()
    """Folders with the device files, for containers that have a ``/dev`` of their own."""
    check: str = ""
    """The shell module with ``check_fabric``, which each node runs before Ray."""
    link_layer: str = ""
    """What the kernel calls the link of a port that is meant, where several kinds look alike."""
    memlock: bool = False
    """Whether memory is registered with the device, which the limit of locked memory bounds."""
    sources: tuple[str, ...] = ()


_VERBS_PACKAGES = ("libibverbs1", "ibverbs-providers")
_VERBS_PROBE = "python3 -c 'import ctypes; ctypes.CDLL(\"libibverbs.so.1\")'"
_VERBS_WHY = "NCCL and RCCL load the verbs library by this name when they start."

FABRICS: Mapping[str, Fabric] = MappingProxyType(
    {
        "none": Fabric(title="plain TCP", net="Socket", sources=(_NCCL,)),
        "ib": Fabric(
            title="InfiniBand",
            net="IB",
            packages=_VERBS_PACKAGES,
            probe=_VERBS_PROBE,
            probe_why=_VERBS_WHY,
            devices=("/dev/infiniband",),
            check="check_verbs",
            link_layer="InfiniBand",
            memlock=True,
            sources=(_NCCL, _VERBS, _SYSFS),
        ),
        "roce": Fabric(
            title="RDMA over converged Ethernet",
            net="IB",
            packages=_VERBS_PACKAGES,
            probe=_VERBS_PROBE,
            probe_why=_VERBS_WHY,
            devices=("/dev/infiniband",),
            check="check_verbs",
            link_layer="Ethernet",
            memlock=True,
            sources=(_NCCL, _VERBS, _SYSFS),
        ),
        "efa": Fabric(
            title="AWS Elastic Fabric Adapter",
            net="AWS Libfabric",
            probe="test -x /opt/amazon/efa/bin/fi_info",
            probe_why="No package has Amazon's libfabric; the base, or a step with Amazon's installer, puts it here.",
            devices=("/dev/infiniband",),
            check="check_efa",
            memlock=True,
            sources=(
                _NCCL,
                _PLUGIN,
                "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-installer-containers.html",
            ),
        ),
        "slingshot": Fabric(
            title="HPE Slingshot",
            net="AWS Libfabric",
            env=(
                ("NCCL_NET_GDR_LEVEL", "PHB"),
                ("NCCL_CROSS_NIC", "1"),
                ("FI_CXI_DISABLE_HOST_REGISTER", "1"),
                ("FI_CXI_DEFAULT_CQ_SIZE", "131072"),
                ("FI_MR_CACHE_MONITOR", "userfaultfd"),
            ),
            check="check_cxi",
            sources=(
                _NCCL,
                _PLUGIN,
                "https://docs.cscs.ch/software/communication/nccl/",
                "https://docs.isambard.ac.uk/user-documentation/guides/example-data/nccl/env_vars.sh",
                "https://github.com/HewlettPackard/shs-cxi-driver",
            ),
        ),
    }
)
"""Every fabric that ``network.fabric`` names."""


def fabric(name: str | None) -> Fabric | None:
    """Return the row of a name that the manifest gives, or ``None`` when it gives none."""
    return FABRICS.get(name or "")
