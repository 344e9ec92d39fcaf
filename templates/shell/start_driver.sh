start_driver() { setsid "${DRIVER[@]}" </dev/null & }
