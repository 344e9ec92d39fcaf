"""What every test can rely on, whatever started the tests."""

import signal

# A shell without job control starts what it puts into the background with SIGINT ignored, and no shell that such a
# process starts can trap it (bash(1), SIGNALS).
signal.signal(signal.SIGINT, signal.default_int_handler)
