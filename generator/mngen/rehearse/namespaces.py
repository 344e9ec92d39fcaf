"""Whether this machine lets its users make namespaces, and what to do where it does not."""

from __future__ import annotations

import functools
import subprocess

from mngen.errors import EnvironmentFailure

ALLOW = (
    "a simulated cluster needs Linux with user namespaces: sysctl user.max_user_namespaces above 0, on Debian also "
    "kernel.unprivileged_userns_clone=1, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0; or root"
)


@functools.cache
def unshare_command() -> tuple[str, ...]:
    """The shortest `unshare` call that works here: as root without, else with a user namespace."""
    base = ("unshare", "--net", "--mount", "--uts", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc")
    said = ""
    for command in (base, (*base, "--user", "--map-root-user")):
        try:
            done = subprocess.run([*command, "true"], capture_output=True, check=False)
        except FileNotFoundError as error:
            raise EnvironmentFailure("there is no `unshare` program here", hint=ALLOW) from error
        if done.returncode == 0:
            return command
        said = done.stderr.decode("utf-8", "replace").strip()
    raise EnvironmentFailure(f"this machine makes no namespaces for its users: {said}", hint=ALLOW)
