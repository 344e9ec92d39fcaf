"""The port of a head in place of Ray's, which only accepts: `listen.py ADDRESS PORT`."""

import socket
import sys

listening = socket.create_server(
    (sys.argv[1], int(sys.argv[2])), family=socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET, backlog=4096
)
while True:
    listening.accept()[0].close()
