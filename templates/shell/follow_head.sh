# A worker's work is done when the head is gone; its own Ray would take another minute to see that. A port that refuses
# says so at once. A head that does not answer may be behind a network in trouble, which Ray itself bears for a minute.
follow_head() {
  local -i refusals=0 heard=${SECONDS}
  wait_while head_stays
  if ((refusals > 0)); then
    say "the head has ended, and so does this node"
  else
    say "the head has not answered for a minute, and so this node ends"
  fi
}
head_stays() {
  local said
  if said=$(LC_ALL=C timeout 5 bash -c ": </dev/tcp/${HEAD_IP}/${GCS_PORT}" 2>&1); then
    refusals=0 heard=${SECONDS}
  elif [[ ${said} == *refused* ]]; then
    refusals=$((refusals + 1))
  else
    refusals=0
  fi
  ((refusals < 3 && SECONDS - heard < 60))
}
