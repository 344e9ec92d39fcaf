"""What the README of the output says of secrets."""

from __future__ import annotations

from mngen.manifest.model import Target


def optional(target: Target) -> str:
    """Return which of the secrets from the shell a run can do without, to stand behind the text that names them."""
    names = [secret.name for secret in target.secrets if secret.file is None and not secret.required]
    return f" ({', '.join(names)} {'is' if len(names) == 1 else 'are'} optional)" if names else ""
