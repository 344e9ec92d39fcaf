"""What follows the options of container clients: a value, or nothing.

The lists are those of the tables in ``checks/tables``, which name their sources; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping

from mngen.manifest.model import Runtime


def _options(names: str) -> frozenset[str]:
    return frozenset(f"--{name}" for name in names.split())


FLAGS: Mapping[Runtime, frozenset[str]] = {
    Runtime.DOCKER: _options(
        """
        detach disable-content-trust help init interactive no-healthcheck oom-kill-disable privileged publish-all
        quiet read-only rm sig-proxy tty use-api-socket
        """
    ),
    Runtime.PODMAN: _options(
        """
        detach disable-content-trust env-host help http-proxy init interactive no-healthcheck no-hostname no-hosts
        oom-kill-disable passwd privileged publish-all quiet read-only read-only-tmpfs replace rm rmi rootfs
        sig-proxy tty unsetenv-all
        """
    ),
    Runtime.APPTAINER: _options(
        """
        allow-setuid cleanenv compat compat32 contain containall disable-cache docker-login fakeroot ignore-subuid
        ignore-userns intel-hpu ipc keep-privs net no-eval no-home no-https no-init no-nv no-pid no-privs no-rocm
        no-umask nohttps nv nvccli oom-kill-disable passphrase pid rocm sharens underlay unsquash userns uts
        writable writable-tmpfs
        """
    ),
    Runtime.PYXIS: _options(
        """
        container-entrypoint container-entrypoint-log container-mount-home container-readonly container-remap-root
        container-writable no-container-entrypoint no-container-mount-home no-container-remap-root
        """
    ),
}
"""Options that stand alone."""

VALUED: Mapping[Runtime, frozenset[str]] = {
    Runtime.DOCKER: _options(
        """
        add-host annotation attach blkio-weight blkio-weight-device cap-add cap-drop cgroup-parent cgroupns cidfile
        cpu-count cpu-percent cpu-period cpu-quota cpu-rt-period cpu-rt-runtime cpu-shares cpus cpuset-cpus
        cpuset-mems detach-keys device device-cgroup-rule device-read-bps device-read-iops device-write-bps
        device-write-iops dns dns-option dns-search domainname entrypoint env env-file expose gpus group-add
        health-cmd health-interval health-retries health-start-interval health-start-period health-timeout hostname
        io-maxbandwidth io-maxiops ip ip6 ipc isolation kernel-memory label label-file link link-local-ip log-driver
        log-opt mac-address memory memory-reservation memory-swap memory-swappiness mount name net network
        network-alias oom-score-adj pid pids-limit platform publish pull restart runtime security-opt shm-size
        stop-signal stop-timeout storage-opt sysctl tmpfs ulimit user userns uts volume volume-driver volumes-from
        workdir
        """
    ),
    Runtime.PODMAN: _options(
        """
        add-host annotation arch attach authfile blkio-weight blkio-weight-device cap-add cap-drop cert-dir
        cgroup-conf cgroup-parent cgroupns cgroups chrootdirs cidfile cpu-period cpu-quota cpu-rt-period
        cpu-rt-runtime cpu-shares cpus cpuset-cpus cpuset-mems creds decryption-key detach-keys device
        device-cgroup-rule device-read-bps device-read-iops device-write-bps device-write-iops dns dns-option
        dns-search entrypoint env env-file env-merge expose gidmap gpus group-add group-entry health-cmd
        health-interval health-log-destination health-max-log-count health-max-log-size health-on-failure
        health-retries health-start-period health-startup-cmd health-startup-interval health-startup-retries
        health-startup-success health-startup-timeout health-timeout hostname hosts-file hostuser image-volume
        infra-command infra-conmon-pidfile infra-name init-path ip ip6 ipc kernel-memory label label-file log-driver
        log-opt mac-address memory memory-reservation memory-swap memory-swappiness mount name net network
        network-alias oom-score-adj os passwd-entry personality pid pidfile pids-limit platform pod pod-id-file
        preserve-fd preserve-fds publish pull rdt-class requires restart retry retry-delay sdnotify seccomp-policy
        secret security-opt shm-size shm-size-systemd signature-policy stop-signal stop-timeout subgidname
        subuidname sysctl systemd timeout tmpfs tz uidmap ulimit umask unsetenv user userns uts variant volume
        volumes-from workdir
        """
    ),
    Runtime.APPTAINER: _options(
        """
        add-caps app apply-cgroups authfile bind blkio-weight blkio-weight-device cdi-dirs containlibs cpu-shares
        cpus cpuset-cpus cpuset-mems cwd device dmtcp-launch dmtcp-restart dns docker-host docker-password
        docker-username drop-caps env env-file fusemount home hostname memory memory-reservation memory-swap mount
        netns-path network network-args no-env no-mount overlay pem-path pids-limit pwd runscript-timeout scratch
        security workdir
        """
    ),
    Runtime.PYXIS: _options(
        """
        container-env container-image container-mounts container-name container-save container-workdir
        """
    ),
}
"""Options that take a value, behind `=` or as the next word."""
