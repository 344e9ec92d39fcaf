start_driver() { (trap '' USR2 && exec setsid "${DRIVER[@]}") </dev/null & } # USR2 tells the node, which ends it by TERM
