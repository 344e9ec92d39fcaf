"""The variables that every job exports, for whoever writes shell text into a manifest."""

from __future__ import annotations

from collections.abc import Mapping

JOB_VARIABLES: Mapping[str, str] = {
    "HEAD_IP": "the head's address, bare",
    "HEAD_ADDRESS": "the head's address with Ray's port, in brackets where it is IPv6",
    "NODE_IP": "this node's own address, bare",
    "NODE_RANK": "number of this node in the job; 0 is the head",
    "JOB_ID": "the job's ID, as `${{ job_id }}`",
    "ATTEMPT": "how often Slurm has started this job again",
    "VLLM_HOST_IP": "`NODE_IP`, under the name that vLLM reads",
    "GLOO_SOCKET_IFNAME": "the interface of `NODE_IP`, where neither `env` nor the node has set it",
    "NCCL_SOCKET_IFNAME": "the same for NCCL, as `=NAME`: to NCCL a bare name is a prefix",
    "RAY_TMPDIR": "the job's own folder on this node",
    "RAY_USAGE_STATS_ENABLED": "`0`; `env` may say otherwise",
    "RAY_ADDRESS": "`HEAD_ADDRESS`, for `prepare` steps before the driver and for the driver",
}
"""Names and meanings; all but the last are set before ``setup``."""

BEFORE_SETUP = frozenset(JOB_VARIABLES) - {"RAY_ADDRESS"}
"""Those that are there from the start."""
