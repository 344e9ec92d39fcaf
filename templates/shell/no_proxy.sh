# Calls between the nodes must not go through the proxy. What is set already stays as it is.
bypass_proxy() {
  local hosts="localhost,127.0.0.1,::1,${HEAD_IP},${NODE_IP},${CLUSTER_NODES// /,}"
  export no_proxy="${no_proxy:+${no_proxy},}${hosts}"
  export NO_PROXY="${NO_PROXY:+${NO_PROXY},}${hosts}"
}
