"""In place of a watcher: it says by a file that it is there, until it is told to end."""

import signal
from pathlib import Path

signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
mark = Path("/tmp/watching")
mark.touch()
signal.sigwait({signal.SIGTERM})
mark.unlink()
