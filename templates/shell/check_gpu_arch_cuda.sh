# Without code for a node's GPUs the image would fail there only at its first kernel. What an old nvidia-smi does not
# tell is not checked, nor an image that is not this manifest's.
check_gpu_arch() {
  local gpu other=
  local -i fit=0
  [[ -e /etc/mngen/image.json ]] || return 0
  while read -r gpu; do
    if [[ ${gpu} == @(${GPU_FITS}) ]]; then fit+=1; else other=${gpu}; fi
  done < <(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | grep '^[0-9]')
  [[ -z ${other} ]] || ((fit >= GPUS)) \
    || fail 77 "the image was built for ${GPU_ARCH}, the GPU is ${other}; leave out ${NODE_NAME}"
}
