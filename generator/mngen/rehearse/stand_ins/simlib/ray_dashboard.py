"""The head's HTTP server: the part of Ray's job interface that `ray job` uses."""

import json
import os
import signal
import socket
import threading
import time
from pathlib import Path
from typing import Any

from simlib import kernel, ray_runtime_env


def _own_signals() -> None:
    """End with the server; and hear SIGINT, as jobs of Ray 2.60 do, whose drivers neither block nor ignore it."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Jobs:
    """Jobs submitted to one cluster."""

    def __init__(self, address: str, token: str | None, logs: Path) -> None:
        self.address = address
        self.token = token
        self.logs = logs
        self.jobs: dict[str, dict[str, Any]] = {}

    def submit(self, request: dict[str, Any]) -> dict[str, Any]:
        """Start an entrypoint; Ray hands it to a shell, in a session of its own."""
        import subprocess

        name = request.get("submission_id") or "raysubmit_" + os.urandom(8).hex()
        if name in self.jobs:
            raise ValueError(f"Job with submission_id {name} already exists. Please use a different submission_id.")
        runtime_env = request.get("runtime_env") or {}
        env = ray_runtime_env.updated(os.environ, runtime_env.get("env_vars") or {})
        env["RAY_ADDRESS"] = self.address
        job = {
            "submission_id": name,
            "entrypoint": request["entrypoint"],
            "status": "RUNNING",
            "message": "Job is currently running.",
            "runtime_env": runtime_env,
            "type": "SUBMISSION",
            "start_time": time.time_ns() // 1_000_000,
            "stop": False,
        }
        with (self.logs / f"job-driver-{name}.log").open("w") as log:
            process = subprocess.Popen(
                request["entrypoint"],
                shell=True,
                executable="/bin/bash",
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=env,
                cwd=ray_runtime_env.folder(runtime_env.get("working_dir"), self.logs),
                preexec_fn=_own_signals,
            )
        job["pid"] = process.pid
        self.jobs[name] = job
        threading.Thread(target=self._wait, args=(job, process), daemon=True).start()
        return {"job_id": name, "submission_id": name}

    @staticmethod
    def _wait(job: dict[str, Any], process: Any) -> None:
        code = process.wait()
        if job["stop"]:
            job.update(status="STOPPED", message="Job was intentionally stopped.")
        elif code == 0:
            job.update(status="SUCCEEDED", message="Job finished successfully.")
        else:
            job.update(
                status="FAILED",
                message=f"Job entrypoint command failed with exit code {code}, last available logs (truncated to 20,000 chars):",
            )
        job["driver_exit_code"] = code

    def stop(self, name: str) -> dict[str, Any]:
        """TERM to the entrypoint's processes, KILL three seconds later."""
        job = self.jobs[name]
        running = job["status"] == "RUNNING"
        job["stop"] = True
        if running:
            pids = [job["pid"], *kernel.descendants(job["pid"])]
            kernel.signal_all(pids, signal.SIGTERM)
            threading.Timer(3, lambda: kernel.signal_all(pids, signal.SIGKILL)).start()
        return {"stopped": running}


def serve(server: socket.socket, jobs: Jobs) -> None:
    """Answer HTTP on a listening socket for ever."""
    import http.server

    # PDEATHSIG follows the thread that forked, so requests are answered in the main thread.
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_args: Any) -> None:
            return

        def answer(self, value: Any, code: int = 200) -> None:
            raw = value.encode() if isinstance(value, str) else json.dumps(value).encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def allowed(self) -> bool:
            given = (
                (self.headers.get("Authorization") or "").removeprefix("Bearer ").strip()
                or self.headers.get("X-Ray-Authorization", "").removeprefix("Bearer ").strip()
                or None
            )
            if jobs.token is not None and given != jobs.token:
                self.answer("Unauthorized: Missing or invalid authentication token", 401 if given is None else 403)
                return False
            return True

        def do_GET(self) -> None:
            parts = [part for part in self.path.partition("?")[0].split("/") if part]
            if not self.allowed():
                return
            if parts == ["api", "version"]:
                self.answer({"version": "4", "ray_version": "2", "session_name": "session"})
            elif parts == ["api", "jobs"]:
                self.answer(list(jobs.jobs.values()))
            elif parts[:2] == ["api", "jobs"] and len(parts) in (3, 4):
                if parts[2] not in jobs.jobs:
                    self.answer(f"Job {parts[2]} does not exist", 404)
                elif parts[3:] == ["logs"]:
                    self.answer({"logs": (jobs.logs / f"job-driver-{parts[2]}.log").read_text(errors="replace")})
                else:
                    self.answer(jobs.jobs[parts[2]])
            else:
                self.answer("not found", 404)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            parts = [part for part in self.path.split("/") if part]
            if not self.allowed():
                return
            try:
                if parts == ["api", "jobs"]:
                    self.answer(jobs.submit(json.loads(body)))
                elif parts[-1] == "stop" and parts[2] in jobs.jobs:
                    self.answer(jobs.stop(parts[2]))
                else:
                    self.answer("not found", 404)
            except (ValueError, OSError) as error:
                self.answer(str(error), 500)

    class Server(http.server.HTTPServer):
        def __init__(self) -> None:
            self.socket = server
            self.server_address = server.getsockname()[:2]
            self.server_name, self.server_port = self.server_address
            self.RequestHandlerClass = Handler
            import socketserver

            socketserver.BaseServer.__init__(self, self.server_address, Handler)

    try:
        Server().serve_forever(poll_interval=0.1)
    except KeyboardInterrupt:
        time.sleep(0)
