# Calls between the nodes must not go through the proxy. What is set already stays; programs differ in which of the two
# names they read, so both say the same.
bypass_proxy() {
  local hosts="localhost,127.0.0.1,::1,${HEAD_IP},${NODE_IP},${CLUSTER_NODES// /,}"
  hosts=${no_proxy:+${no_proxy},}${NO_PROXY:+${NO_PROXY},}${hosts}
  export no_proxy=${hosts} NO_PROXY=${hosts}
}
