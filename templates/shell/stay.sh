# A worker watches its own parts until it is told that the driver has ended.
stay() {
  while true; do
    check_parts
    sleep 1
  done
}
