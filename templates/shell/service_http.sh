# Asks the server at a port of this node for a page; never through a proxy.
http_answers() {
  local host code='import sys, urllib.request as u; u.build_opener(u.ProxyHandler({})).open(sys.argv[1], timeout=5)'
  host=$(listening_at "$1") && timeout 10 "${RAY_PYTHON[@]}" -c "${code}" "http://$(host_port "${host}" "$1")$2"
}
