# A worker watches its own parts until it is told that the driver has ended.
stay() {
  while true; do
    check_parts
    # Bash would report the signal that ends this sleep.
    { sleep 1; } 2>/dev/null
  done
}
