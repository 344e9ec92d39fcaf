# A node that lost a GPU would keep the driver waiting for ever. The tool lists none without its UUID, but says why.
check_gpus() {
  local -a granted seen
  unset RAY_EXPERIMENTAL_NOSET_CUDA_VISIBLE_DEVICES # an image may set it; Ray deals out GPUs by the mask
  mapfile -t seen < <(nvidia-smi -L 2>/dev/null | grep UUID)
  [[ ${CUDA_VISIBLE_DEVICES-} != NoDevFiles ]] || unset CUDA_VISIBLE_DEVICES # Slurm was not asked for GPUs
  IFS=, read -ra granted <<<"${CUDA_VISIBLE_DEVICES-}"
  local -i count=${#granted[@]}
  if [[ ! -v CUDA_VISIBLE_DEVICES || ${#seen[@]} -lt ${count} && -n $(type -P nvidia-smi) ]]; then count=${#seen[@]}; fi
  ((count >= GPUS)) || fail 77 "${count} of ${GPUS} GPUs here; leave out ${NODE_NAME}"
}
