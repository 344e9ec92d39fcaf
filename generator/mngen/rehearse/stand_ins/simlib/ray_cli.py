"""The `ray` command."""

import json
import os
import sys
import time
from typing import Any

from simlib import kernel, ray_find, ray_net, ray_runtime_env, ray_start
from simlib.options import RefusedError, Table
from simlib.place import Sim

COMMON = "address= log-style= log-color= v/verbose help"
JOB_TABLES = {
    "submit": f"{COMMON} job-id= submission-id= runtime-env= runtime-env-json= working-dir= metadata-json= entrypoint-num-cpus= entrypoint-num-gpus= entrypoint-memory= entrypoint-resources= no-wait verify= headers=",
    "status": f"{COMMON} headers= verify=",
    "stop": f"{COMMON} no-wait headers= verify=",
    "logs": f"{COMMON} f/follow headers= verify=",
    "list": f"{COMMON} headers= verify=",
    "delete": f"{COMMON} headers= verify=",
}


def _version(sim: Sim) -> tuple[int, ...]:
    return tuple(int(part) for part in str(sim.node().get("ray_version") or sim.config["ray"]["version"]).split("."))


def _hello(sim: Sim, op: str) -> dict[str, Any]:
    return {"op": op, "token": ray_net.token(_version(sim))}


class Client:
    """Ray's job interface over HTTP."""

    def __init__(self, sim: Sim, address: str | None) -> None:
        self.token = ray_net.token(_version(sim))
        # Both variables win over what the command line says.
        where = os.environ.get("RAY_API_SERVER_ADDRESS") or os.environ.get("RAY_ADDRESS") or address
        if where is None or "://" not in where:
            where = str(ray_net.ask(ray_find.address_or_die(where), _hello(sim, "info"))["dashboard"] or "")
        self.base = where.rstrip("/")
        self("GET", "/api/version")

    def __call__(self, method: str, path: str, body: Any = None) -> Any:
        """One request; proxies of the environment apply, as in the real client."""
        import urllib.error
        import urllib.request

        headers = {"Content-Type": "application/json"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(
            self.base + path, None if body is None else json.dumps(body).encode(), headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise RefusedError(
                f"RuntimeError: Request failed with status code {error.code}: {error.read().decode()}."
            ) from error
        except OSError as error:
            raise RefusedError(
                f"ConnectionError: Failed to connect to Ray at address: {self.base}. ({error})"
            ) from error


def _submit(sim: Sim, client: Client, parsed: Any) -> int:
    runtime_env = ray_runtime_env.read(sim, parsed)
    import shlex

    entrypoint = shlex.join(parsed.words)
    name = client(
        "POST",
        "/api/jobs/",
        {"entrypoint": entrypoint, "submission_id": parsed.last("submission-id"), "runtime_env": runtime_env},
    )["submission_id"]
    print(
        f"Job submission server address: {client.base}\n\n-------------------------------------------------------\nJob '{name}' submitted successfully\n-------------------------------------------------------\n",
        flush=True,
    )
    return 0 if parsed.has("no-wait") else _follow(client, name)


def _follow(client: Client, name: str) -> int:
    print("Tailing logs until the job exits (disable with --no-wait):", flush=True)
    shown = 0
    while True:
        job = client("GET", f"/api/jobs/{name}")
        text = client("GET", f"/api/jobs/{name}/logs")["logs"]
        print(text[shown:], end="", flush=True)
        shown = len(text)
        if job["status"] not in ("PENDING", "RUNNING"):
            break
        time.sleep(0.1)
    print(
        f"\n------------------------------------------\nJob '{name}' {'succeeded' if job['status'] == 'SUCCEEDED' else 'failed' if job['status'] == 'FAILED' else 'was stopped'}\n------------------------------------------\n{job['message']}",
        flush=True,
    )
    return int(job["status"] == "FAILED")


def _job(sim: Sim, argv: list[str]) -> int:
    if not argv or argv[0] not in JOB_TABLES:
        raise RefusedError(f"Error: No such command '{' '.join(argv[:1])}'.", 2)
    parsed = Table(f"ray job {argv[0]}", JOB_TABLES[argv[0]], posix=argv[0] == "submit").parse(argv[1:])
    client = Client(sim, parsed.last("address"))
    if argv[0] == "submit":
        if not parsed.words:
            raise RefusedError("Error: Missing argument 'ENTRYPOINT...'.", 2)
        return _submit(sim, client, parsed)
    if argv[0] == "list":
        print([job["submission_id"] for job in client("GET", "/api/jobs/")])
        return 0
    if not parsed.words:
        raise RefusedError("Error: Missing argument 'JOB_ID'.", 2)
    name = parsed.words[0]
    if argv[0] == "stop":
        client("POST", f"/api/jobs/{name}/stop", {})
        while not parsed.has("no-wait") and client("GET", f"/api/jobs/{name}")["status"] == "RUNNING":
            time.sleep(0.1)
        print(f"Job '{name}' was stopped")
    elif argv[0] == "logs":
        if parsed.has("follow"):
            return _follow(client, name)
        print(client("GET", f"/api/jobs/{name}/logs")["logs"], end="")
    else:
        job = client("GET", f"/api/jobs/{name}")
        print(f"Status for job '{name}': {job['status']}\nStatus message: {job['message']}")
    return 0


def _status(sim: Sim, argv: list[str]) -> int:
    parsed = Table("ray status", COMMON + " redis_password=").parse(argv)
    nodes = ray_net.ask(ray_find.address_or_die(parsed.last("address")), _hello(sim, "nodes"))["nodes"]
    alive = [node for node in nodes if node["Alive"]]
    print(
        "======== Autoscaler status ========\nNode status\n---------------------------------------------------------------\nActive:"
    )
    for node in alive:
        print(f" 1 node_{node['NodeID']}")
    print("Pending:\n (no pending nodes)\nRecent failures:\n (no failures)\n\nResources\nTotal Usage:")
    print(f" 0.0/{sum(node['Resources'].get('GPU', 0) for node in alive)} GPU")
    return 0


def _health_check(sim: Sim, argv: list[str]) -> int:
    parsed = Table("ray health-check", "address= component= skip-version-check").parse(argv)
    ray_net.ask(ray_find.address_or_die(parsed.last("address")), _hello(sim, "nodes"))
    return 0


def _stop(_sim: Sim, argv: list[str]) -> int:
    """As the real one: every Ray process that this user can see on this node."""
    Table("ray stop", f"f/force g/grace-period= {COMMON}").parse(argv)
    for pid in kernel.parents():
        try:
            with open(f"/proc/{pid}/comm") as comm:
                name = comm.read().strip()
            if name in ("gcs_server", "raylet", "dashboard") and ray_find.is_here(pid):
                kernel.signal_all([pid], 15)
        except OSError:
            continue
    ray_find.forget()
    print("Stopped all Ray processes.")
    return 0


def main(root: str) -> int:
    """Run `ray`."""
    sim = Sim(root)
    argv = sys.argv[1:]
    sim.record_call("ray", argv)
    commands = {
        "start": ray_start.start,
        "stop": _stop,
        "status": _status,
        "job": _job,
        "health-check": _health_check,
    }
    if argv[:1] in (["--version"], ["-V"]):
        print("ray, version " + ".".join(str(part) for part in _version(sim)))
        return 0
    if not argv or argv[0] not in commands:
        raise RefusedError(f"Usage: ray [OPTIONS] COMMAND [ARGS]...\nError: No such command '{' '.join(argv[:1])}'.", 2)
    try:
        return commands[argv[0]](sim, argv[1:])
    except (ray_net.NoClusterError, OSError, ValueError, RuntimeError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
