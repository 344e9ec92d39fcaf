"""Messages over local sockets: length-prefixed JSON, with file descriptors where a process is handed on."""

import array
import json
import os
import socket
import struct
from typing import Any


def send(sock: socket.socket, message: dict[str, Any], fds: tuple[int, ...] = ()) -> None:
    """Send one message and, with its first byte, file descriptors."""
    raw = json.dumps(message).encode()
    if fds:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))]
        sock.sendmsg([b"\0"], rights)
    else:
        sock.sendall(b"\0")
    sock.sendall(struct.pack("!I", len(raw)) + raw)


def _exactly(sock: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        chunk = sock.recv(count - len(data))
        if not chunk:
            raise EOFError
        data += chunk
    return data


def receive(sock: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Read one message and the file descriptors that came with it; EOFError at the end."""
    first, ancillary, _flags, _address = sock.recvmsg(1, socket.CMSG_SPACE(16 * 4))
    if not first:
        raise EOFError
    fds = array.array("i")
    for _level, _kind, data in ancillary:
        fds.frombytes(data[: len(data) - len(data) % fds.itemsize])
    (length,) = struct.unpack("!I", _exactly(sock, 4))
    return json.loads(_exactly(sock, length)), list(fds)


def ask_lab(root: str, message: dict[str, Any], fds: tuple[int, ...] = ()) -> socket.socket:
    """Send a request to the lab; its answers come over the returned socket."""
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(os.path.join(root, "lab.sock"))
    send(sock, message, fds)
    return sock


def exit_status(wait_status: int) -> int:
    """A wait status as a shell shows it: 128 + signal for a killed process."""
    return 128 + os.WTERMSIG(wait_status) if os.WIFSIGNALED(wait_status) else os.WEXITSTATUS(wait_status)
