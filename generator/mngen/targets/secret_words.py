"""What the README of the output says of secrets."""

from __future__ import annotations

from collections.abc import Sequence

from mngen.manifest.model import Target


def typed(text: str, names: Sequence[str], target: Target) -> tuple[str, str]:
    """Return words and the command that set variables: neither screen nor the shell's history shows a value."""
    reads = " && ".join(f"read -rs {name}" for name in names)
    one = len(names) == 1
    how = "where it is not exported yet, this reads it unseen"
    all_of_them = "where they are not exported yet, this reads one after the other, unseen"
    return f"{text}{optional(target)}; {how if one else all_of_them}", f"{reads} && export {' '.join(names)}"


def optional(target: Target) -> str:
    """Return which of the secrets from the shell a run can do without, to stand behind the text that names them."""
    names = [secret.name for secret in target.secrets if secret.file is None and not secret.required]
    return f" ({', '.join(names)} {'is' if len(names) == 1 else 'are'} optional)" if names else ""
