# A Ray before 2.52 knows no tokens, and would let anyone who reaches it run code here.
check_ray_tokens() {
  local version major minor
  version=$("${RAY_PYTHON[@]}" -c 'from importlib.metadata import version; print(version("ray"))' 2>/dev/null) \
    || fail 77 "no Ray in ${RAY_PYTHON[*]} on ${NODE_NAME}"
  IFS=. read -r major minor _ <<<"${version}"
  ((major * 1000 + minor >= 2052)) \
    || fail 77 "Ray ${version} on ${NODE_NAME} has no tokens, and the manifest asks for one; 2.52 and newer have"
}
