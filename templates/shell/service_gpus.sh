# Gives the last GPUs of this node to services: each takes its share from the end of the mask.
take_gpus() {
  local -i count=$1
  local -a ids
  IFS=, read -ra ids <<<"${!GPU_MASK:-$(seq -s , 0 $((GPUS - 1)))}"
  SERVICE_GPUS=$(IFS=, && printf '%s' "${ids[*]:${#ids[@]}-count}")
  printf -v "${GPU_MASK}" '%s' "$(IFS=, && printf '%s' "${ids[*]:0:${#ids[@]}-count}")"
  export "${GPU_MASK?}"
}
