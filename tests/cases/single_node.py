"""One node's part of a batch file, run without the batch shell: the environment is what the test says."""

from mngen.rehearse.cluster import Cluster, Result

FOLDER = "/tmp/mngen-9-0"


def run_single_node(sim: Cluster, text: str, env: dict[str, str]) -> Result:
    """Run the file on the first node as the step would, as the only node of a job 9."""
    node = sim.names[0]
    folder = sim.tmp(node) / "mngen-9-0"
    folder.mkdir(mode=0o700)
    (folder / "job.sh").write_text(text)
    given = {
        "JOB_ID": "9",
        "ATTEMPT": "0",
        "JOB_DIR": FOLDER,
        "HEAD_IP": sim.net.addresses(1)[0],
        "PORT_BLOCK": "9",
        "CLUSTER_NODES": node,
        "LOG_DIR": str(sim.work),
        "SLURM_NODEID": "0",
        "SLURMD_NODENAME": node,
    }
    return sim.run(["bash", f"{FOLDER}/job.sh", "node"], node=node, env={**given, **env})
