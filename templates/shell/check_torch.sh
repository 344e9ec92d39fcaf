# The guard that watched the build looks once more: a mount, packages in a home folder or the setup can bring another
# torch than the image's.
check_torch() {
  local said
  [[ ! -e /etc/mngen/torch.json ]] || said=$(python3 /opt/mngen/torch_guard.py 'the job' 2>&1) \
    || fail 77 "on ${NODE_NAME} ${said#mngen: layer }"
}
