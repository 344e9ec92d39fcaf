# Sets NODE_IP, this node's own address on the way to the head, and the interface that holds it.
choose_node_address() {
  NODE_IP=${HEAD_IP}
  ((NODE_RANK == 0)) || NODE_IP=$(source_address "${HEAD_IP}") || fail 75 "no route to the head at ${HEAD_IP}"
  read -r _ NODE_INTERFACE _ < <(ip -o address show to "${NODE_IP}")
}
