"""Rules across fields: what a manifest must not ask for, each in a module of its own.

A rule is a pure function from a target (or a whole manifest) to findings. Adding one means a module
with ``check``, a line here, codes in ``mngen.codes`` and a test. No rule depends on another's having run.
"""

from __future__ import annotations

from mngen.diagnostics import Diagnostic
from mngen.manifest.model import Manifest
from mngen.manifest.rules import (
    code_fields,
    command_names,
    container_options,
    debug_fields,
    driver_fields,
    driver_sizes,
    env_names,
    env_overlap,
    env_values,
    expose_dashboard,
    gpu_counts,
    gpu_device_lists,
    gpu_toolkit,
    gpu_vendor,
    hidden_characters,
    image_env,
    image_files,
    image_gpu,
    image_names,
    image_packages,
    image_secrets,
    literal_text,
    memory_fields,
    mirror_hosts,
    mount_syntax,
    mounts,
    network_fields,
    node_files,
    node_loss,
    ports_collide,
    ports_reserved,
    ports_valid,
    prepare_steps,
    raw_block,
    ray_auth,
    ray_ipv6,
    ray_options,
    ray_pin,
    ray_temp_dir,
    ray_version,
    runtime_gpu,
    runtime_image,
    script_dangers,
    secrets_in_argv,
    service_fields,
    slurm_clashes,
    slurm_export,
    slurm_extra,
    slurm_gpu_request,
    slurm_output,
    slurm_text,
    slurm_versions,
    target_versions,
    text_limits,
    time_limit,
    tokens,
    ulimits,
    workload_name,
)
from mngen.manifest.rules.finding import ManifestRule, TargetRule, each_target

TARGET_RULES: tuple[TargetRule, ...] = (
    code_fields.check,
    command_names.check,
    container_options.check,
    debug_fields.check,
    driver_fields.check,
    driver_sizes.check,
    env_names.check,
    env_overlap.check,
    env_values.check,
    expose_dashboard.check,
    gpu_counts.check,
    gpu_device_lists.check,
    gpu_toolkit.check,
    gpu_vendor.check,
    hidden_characters.check,
    literal_text.check,
    memory_fields.check,
    mirror_hosts.check,
    mount_syntax.check,
    mounts.check,
    network_fields.check,
    node_files.check,
    node_loss.check,
    ports_collide.check,
    ports_reserved.check,
    ports_valid.check,
    prepare_steps.check,
    raw_block.check,
    ray_auth.check,
    ray_ipv6.check,
    ray_options.check,
    ray_pin.check,
    ray_temp_dir.check,
    ray_version.check,
    runtime_gpu.check,
    runtime_image.check,
    script_dangers.check,
    secrets_in_argv.check,
    service_fields.check,
    slurm_clashes.check,
    slurm_export.check,
    slurm_extra.check,
    slurm_gpu_request.check,
    slurm_output.check,
    slurm_text.check,
    slurm_versions.check,
    target_versions.check,
    text_limits.check,
    time_limit.check,
    tokens.check,
    ulimits.check,
    workload_name.check,
)

MANIFEST_RULES: tuple[ManifestRule, ...] = (
    image_env.check,
    image_files.check,
    image_gpu.check,
    image_names.check,
    image_packages.check,
    image_secrets.check,
)
"""Rules that look at several targets or images at once."""


def check(manifest: Manifest) -> list[Diagnostic]:
    """Return the findings of all rules, each once."""
    found = [diagnostic for rule in MANIFEST_RULES for diagnostic in rule(manifest)]
    for rule in TARGET_RULES:
        found += each_target(rule, manifest)
    return list(dict.fromkeys(found))
