# Tells other jobs where to find this one; the file appears whole or not at all, and goes with the job.
write_endpoint() {
  local file=$1 port=$2
  {
    mkdir -p "$(dirname "${file}")" \
      && printf '{"job": "%s", "host": "%s", "address": "%s"}\n' "${JOB_ID}" "${HEAD_IP}" \
        "$(host_port "${HEAD_IP}" "${port}")" >"${file}.${JOB_ID}" \
      && mv -- "${file}.${JOB_ID}" "${file}"
  } || fail 78 "cannot write the endpoint ${file}"
  ENDPOINT=${file}
}
withdraw_endpoint() {
  [[ -z ${ENDPOINT:-} ]] || ! grep -qsF "\"job\": \"${JOB_ID}\"," "${ENDPOINT}" || rm -f -- "${ENDPOINT}"
}
