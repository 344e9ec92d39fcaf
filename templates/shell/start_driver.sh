# In the background bash would let nothing hear Ctrl-C's signal, by which programs are asked to end as well.
start_driver() { (trap - INT && exec setsid "${DRIVER[@]}") </dev/null & }
