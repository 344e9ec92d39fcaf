# Gives the last GPUs of this node to services: each takes its share from the end of the mask.
take_gpus() {
  local -i count=$1
  local -a dealt
  IFS=, read -ra dealt <<<"${!GPU_MASK:-$(seq -s , 0 $((GPUS - 1)))}"
  SERVICE_GPUS=$(IFS=, && printf '%s' "${dealt[*]:${#dealt[@]}-count}")
  printf -v "${GPU_MASK}" '%s' "$(IFS=, && printf '%s' "${dealt[*]:0:${#dealt[@]}-count}")"
  export "${GPU_MASK?}"
}
