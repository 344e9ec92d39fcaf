# Without code for a node's GPUs the image would fail there only at its first kernel. The kernel has their versions as
# numbers, 90402 for gfx942 and 90010 for gfx90a. An image that is not this manifest's is not checked.
check_gpu_arch() {
  local gpu other=
  local -i fit=0 version
  [[ -e /etc/mngen/image.json ]] || return 0
  while read -r _ version; do
    printf -v gpu 'gfx%d%x%x' $((version / 10000)) $((version / 100 % 100)) $((version % 100))
    if [[ ${gpu} == @(${GPU_FITS}) ]]; then fit+=1; else other=${gpu}; fi
  done < <(grep -hs 'gfx_target_version [1-9]' /sys/class/kfd/kfd/topology/nodes/*/properties)
  [[ -z ${other} ]] || ((fit >= GPUS)) \
    || fail 77 "the image was built for ${GPU_ARCH}, the GPU is ${other}; leave out ${NODE_NAME}"
}
