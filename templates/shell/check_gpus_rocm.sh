# A node that lost a GPU would keep the driver waiting for ever; better to name it before Ray starts.
# Slurm masks AMD GPUs by ROCR_VISIBLE_DEVICES. Ray 2.45 and later deal out HIP_VISIBLE_DEVICES and stop
# at the other one, and two masks would apply one after the other: keep exactly one.
check_gpus() {
  local -a granted
  export HIP_VISIBLE_DEVICES=${HIP_VISIBLE_DEVICES:-${ROCR_VISIBLE_DEVICES:-}}
  unset ROCR_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES GPU_DEVICE_ORDINAL
  unset RAY_EXPERIMENTAL_NOSET_HIP_VISIBLE_DEVICES RAY_EXPERIMENTAL_NOSET_ROCR_VISIBLE_DEVICES
  [[ -e /dev/kfd ]] || fail 77 "no /dev/kfd here; leave out ${NODE_NAME}"
  IFS=, read -ra granted <<<"${HIP_VISIBLE_DEVICES}"
  if ((${#granted[@]} == 0)); then
    unset HIP_VISIBLE_DEVICES
    mapfile -t granted < <(grep -l '^[1-9]' /sys/class/kfd/kfd/topology/nodes/*/gpu_id)
  fi
  ((${#granted[@]} >= GPUS)) \
    || fail 77 "${#granted[@]} of ${GPUS} GPUs here; leave out ${NODE_NAME}"
}
