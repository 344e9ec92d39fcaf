"""In place of a reward model's server: it listens."""

import http.server
import sys

http.server.test(port=int(sys.argv[2]), bind="127.0.0.1")
