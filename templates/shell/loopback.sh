# Prints the loopback address of the head's IP version, where its dashboard listens.
loopback() {
  case ${HEAD_IP} in
    *:*) echo ::1 ;;
    *) echo 127.0.0.1 ;;
  esac
}
