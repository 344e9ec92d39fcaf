# Without code for a node's GPUs the image would fail there only at its first kernel. What an old nvidia-smi does not
# tell is not checked, nor an image that is not this manifest's.
check_gpu_arch() {
  local said gpu other=
  local -i fit=0
  [[ -e /etc/mngen/image.json ]] || return 0
  read -rd '' -t 60 said < <(exec nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null) \
    || (($? < 128)) || fail 77 "nvidia-smi has not answered for a minute; leave out ${NODE_NAME}"
  while read -r gpu; do
    if [[ ${gpu} == @(${GPU_FITS}) ]]; then fit+=1; else other=${gpu}; fi
  done < <(grep '^[0-9]' <<<"${said}")
  [[ -z ${other} ]] || ((fit >= GPUS)) \
    || fail 77 "the image was built for ${GPU_ARCH}, the GPU is ${other}; leave out ${NODE_NAME}"
}
