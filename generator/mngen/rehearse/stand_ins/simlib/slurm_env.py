"""The environment that Slurm gives to batch scripts and tasks (compared with Slurm 22.05)."""

from typing import Any

from simlib import hostlist


def _global_ids(sim_config: dict[str, Any], gpus: int) -> str:
    """Numbers of the job's GPUs on the node; other jobs may hold the first ones."""
    first = sim_config["slurm"]["first_gpu"]
    return ",".join(str(number) for number in range(first, first + gpus))


def _gpu_variables(sim_config: dict[str, Any], gpus: int) -> dict[str, str]:
    """The masks: counted from 0 where the cgroup hides other devices, else the node's numbers."""
    ids = (
        ",".join(str(number) for number in range(gpus))
        if sim_config["slurm"]["constrain"]
        else _global_ids(sim_config, gpus)
    )
    return dict.fromkeys(sim_config["slurm"]["gpu_env"], ids)


def batch(sim_config: dict[str, Any], job: dict[str, Any], restarts: int) -> dict[str, str]:
    """Variables of the batch script, on the first node."""
    count = len(job["nodes"])
    env = {
        "ENVIRONMENT": "BATCH",
        "HOSTNAME": job["nodes"][0],
        "SLURMD_NODENAME": job["nodes"][0],
        "SLURM_CLUSTER_NAME": "sim",
        "SLURM_CONF": "/etc/slurm/slurm.conf",
        "SLURM_CPUS_ON_NODE": str(job["cpus_on_node"]),
        "SLURM_GTIDS": "0",
        "SLURM_JOBID": job["id"],
        "SLURM_JOB_CPUS_PER_NODE": f"{job['cpus_on_node']}(x{count})" if count > 1 else str(job["cpus_on_node"]),
        "SLURM_JOB_GID": "0",
        "SLURM_JOB_ID": job["id"],
        "SLURM_JOB_NAME": job["name"],
        "SLURM_JOB_NODELIST": hostlist.compress(job["nodes"]),
        "SLURM_JOB_NUM_NODES": str(count),
        "SLURM_JOB_PARTITION": job["partition"],
        "SLURM_JOB_UID": "0",
        "SLURM_JOB_USER": "root",
        "SLURM_LOCALID": "0",
        "SLURM_NNODES": str(count),
        "SLURM_NODEID": "0",
        "SLURM_NODELIST": hostlist.compress(job["nodes"]),
        "SLURM_NODE_ALIASES": "(null)",
        "SLURM_PRIO_PROCESS": "0",
        "SLURM_PROCID": "0",
        "SLURM_SUBMIT_DIR": job["submit_dir"],
        "SLURM_SUBMIT_HOST": job["submit_host"],
        "SLURM_TASKS_PER_NODE": f"{job['tasks_per_node']}(x{count})" if count > 1 else str(job["tasks_per_node"]),
        "SLURM_TOPOLOGY_ADDR": job["nodes"][0],
        "SLURM_TOPOLOGY_ADDR_PATTERN": "node",
        "TMPDIR": "/tmp",
    }
    env.update(job["env"])
    if restarts:
        env["SLURM_RESTART_COUNT"] = str(restarts)
    if job["gpus"]:
        env["SLURM_JOB_GPUS"] = _global_ids(sim_config, job["gpus"])
        if version_of(sim_config) > (20, 11, 99):
            env["SLURM_GPUS_ON_NODE"] = str(job["gpus"])
        env.update(_gpu_variables(sim_config, job["gpus"]))
    return env


def version_of(sim_config: dict[str, Any]) -> tuple[int, ...]:
    """Slurm's version as integers."""
    return tuple(int(part) for part in sim_config["slurm"]["version"].split("."))


def task(sim_config: dict[str, Any], job: dict[str, Any], step: dict[str, Any], rank: int) -> dict[str, str]:
    """Variables of one task; `step` has id, nodes, node_of, ntasks, cpus and gpus."""
    node = step["node_of"][rank]
    local = step["node_of"][:rank].count(node)
    per_node = step["node_of"].count(node)
    count = len(step["nodes"])
    env = {
        "SLURMD_NODENAME": node,
        "SLURM_CPUS_ON_NODE": str(step["cpus"] * per_node),
        "SLURM_DISTRIBUTION": "cyclic",
        "SLURM_GTIDS": ",".join(str(i) for i, name in enumerate(step["node_of"]) if name == node),
        "SLURM_JOBID": job["id"],
        "SLURM_JOB_ID": job["id"],
        "SLURM_LAUNCH_NODE_IPADDR": "127.0.0.1",
        "SLURM_LOCALID": str(local),
        "SLURM_NNODES": str(count),
        "SLURM_NODEID": str(step["nodes"].index(node)),
        "SLURM_NODELIST": hostlist.compress(job["nodes"]),
        "SLURM_NPROCS": str(step["ntasks"]),
        "SLURM_NTASKS": str(step["ntasks"]),
        "SLURM_PROCID": str(rank),
        "SLURM_SRUN_COMM_HOST": "127.0.0.1",
        "SLURM_SRUN_COMM_PORT": "35073",
        "SLURM_STEPID": step["id"],
        "SLURM_STEP_ID": step["id"],
        "SLURM_STEP_LAUNCHER_PORT": "35073",
        "SLURM_STEP_NODELIST": hostlist.compress(step["nodes"]),
        "SLURM_STEP_NUM_NODES": str(count),
        "SLURM_STEP_NUM_TASKS": str(step["ntasks"]),
        "SLURM_STEP_TASKS_PER_NODE": f"{per_node}(x{count})" if count > 1 else str(per_node),
        "SLURM_TASKS_PER_NODE": f"{per_node}(x{count})" if count > 1 else str(per_node),
        "SLURM_TOPOLOGY_ADDR": node,
        "SLURM_TOPOLOGY_ADDR_PATTERN": "node",
        "SLURM_UMASK": "0022",
        "SRUN_DEBUG": "3",
    }
    if step["cpus_given"]:
        env["SLURM_CPUS_PER_TASK"] = str(step["cpus"])
    if step["gpus"]:
        env["SLURM_STEP_GPUS"] = _global_ids(sim_config, step["gpus"])
        env.update(_gpu_variables(sim_config, step["gpus"]))
    return env
