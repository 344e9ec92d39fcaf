# Ray refuses nodes of another version, but only after minutes; the package's metadata answers at once.
check_ray_version() {
  local version
  version=$("${RAY_PYTHON[@]}" -c 'from importlib.metadata import version; print(version("ray"))' 2>/dev/null) \
    || fail 77 "no Ray in ${RAY_PYTHON[*]} on ${NODE_NAME}"
  [[ ${version}. == "${RAY_VERSION}".* ]] || fail 77 "Ray ${version} on ${NODE_NAME}, the manifest says ${RAY_VERSION}"
}
