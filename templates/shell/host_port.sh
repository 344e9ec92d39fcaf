# Joins host and port; an IPv6 address needs brackets there, and only there.
host_port() { if [[ $1 == *:* ]]; then echo "[$1]:$2"; else echo "$1:$2"; fi; }
