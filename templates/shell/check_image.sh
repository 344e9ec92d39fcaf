# The image names the description that it was built from; a stale one on this node would differ.
check_image() {
  local file=/etc/mngen/image.json
  if [[ ! -e ${file} ]]; then
    say "warning: the image has no ${file}; it was not built from this manifest's description"
  elif ! grep -qF "${IMAGE_DIGEST}" "${file}"; then
    fail 77 "the image on ${NODE_NAME} was built from another description; rebuild or pull it"
  fi
}
