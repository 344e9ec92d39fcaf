#!/bin/bash
# In place of a retrieval server: answers at /health, which is a file here.
exec python3 -m http.server "$2"
