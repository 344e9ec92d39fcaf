# A node that lost a GPU would keep the driver waiting for ever; better to name it before Ray starts.
# Ray before 2.45 deals out AMD GPUs by ROCR_VISIBLE_DEVICES, the mask that Slurm sets; a second mask would
# apply on top of it.
check_gpus() {
  local -a granted
  unset HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES GPU_DEVICE_ORDINAL
  unset RAY_EXPERIMENTAL_NOSET_HIP_VISIBLE_DEVICES RAY_EXPERIMENTAL_NOSET_ROCR_VISIBLE_DEVICES
  [[ -e /dev/kfd ]] || fail 77 "no /dev/kfd here; leave out ${NODE_NAME}"
  IFS=, read -ra granted <<<"${ROCR_VISIBLE_DEVICES-}"
  if ((${#granted[@]} == 0)); then
    mapfile -t granted < <(grep -l '^[1-9]' /sys/class/kfd/kfd/topology/nodes/*/gpu_id)
  fi
  ((${#granted[@]} >= GPUS)) \
    || fail 77 "${#granted[@]} of ${GPUS} GPUs here; leave out ${NODE_NAME}"
}
