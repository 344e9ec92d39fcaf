# Without the signal by which a whole step is told to end: the node ends its driver by TERM, and gives it time.
start_driver() { (trap '' USR2 && exec setsid "${DRIVER[@]}") </dev/null & }
