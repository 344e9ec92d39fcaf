# A secret of this job alone: without it nobody else on the network can run code in its Ray. Releases
# before 2.52 do not know the variables and ignore them.
make_token() {
  RAY_AUTH_TOKEN=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')
  export RAY_AUTH_TOKEN RAY_AUTH_MODE=token
}
