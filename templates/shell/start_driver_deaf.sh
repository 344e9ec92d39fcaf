# A whole step is told to end by USR2. The driver, and its log, go on until the node ends it by TERM and gives it time.
start_driver() { (trap '' USR2 && exec setsid "${DRIVER[@]}") </dev/null & }
