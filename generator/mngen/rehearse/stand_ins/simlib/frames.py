"""Frames between `srun` and the step daemons: one letter, a length, bytes."""

import os
import socket
import struct

STDIN = b"I"  # to the task; an empty frame ends it
SIGNAL = b"S"
TERMINATE = b"T"  # TERM now, KILL after KillWait
STDOUT = b"O"
STDERR = b"E"
EXIT = b"X"
STARTED = b"P"


def pack(kind: bytes, data: bytes = b"") -> bytes:
    """One frame."""
    return kind + struct.pack("!I", len(data)) + data


class Inbox:
    """Frames as they arrive on a socket."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.data = b""
        self.ended = False

    def read(self) -> list[tuple[bytes, bytes]]:
        """What one read yields; `ended` is set at the end of the connection."""
        try:
            chunk = self.sock.recv(65536)
        except BlockingIOError:
            return []
        except OSError:
            chunk = b""
        self.ended = not chunk
        self.data += chunk
        found = []
        while len(self.data) >= 5:
            (length,) = struct.unpack("!I", self.data[1:5])
            if len(self.data) < 5 + length:
                break
            found.append((self.data[:1], self.data[5 : 5 + length]))
            self.data = self.data[5 + length :]
        return found


class Outbox:
    """Bytes that wait for a descriptor to take them; once closed, the descriptor goes when they are out."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.data = b""
        self.closing = False
        self.closed = False
        os.set_blocking(fd, False)

    def add(self, data: bytes) -> None:
        """Queue bytes."""
        if not self.closed:
            self.data += data

    def waiting(self) -> bool:
        """Whether there is anything to write or to close."""
        return not self.closed and (bool(self.data) or self.closing)

    def flush(self) -> None:
        """Write what fits now."""
        try:
            while self.data:
                self.data = self.data[os.write(self.fd, self.data[:65536]) :]
        except BlockingIOError:
            return
        except OSError:  # the reader is gone
            self.data = b""
            self.closing = True
        if self.closing and not self.closed:
            self.closed = True
            os.close(self.fd)
