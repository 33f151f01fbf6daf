"""References to secrets. A spec names where a secret lives; it never holds the secret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SecretSource = Literal["env", "file"]


@dataclass(frozen=True, slots=True)
class SecretRef:
    """A place that holds a secret: an environment variable or a file.

    The value is looked up only where it is used (`bai.runtime.secrets.reveal`), so that it
    can't reach a diff, the state, a log or a traceback by way of a resource.
    """

    source: SecretSource
    name: str
    """The variable's name, or the file's absolute path."""

    def __str__(self) -> str:
        return f"<secret {self.source}:{self.name}>"


@dataclass(frozen=True, slots=True)
class KeyVaultRef:
    """A secret in an Azure Key Vault, which the service itself reads."""

    vault: str
    """The ARM id of the vault."""
    url: str
    """The secret's URL, https://VAULT.vault.azure.net/secrets/NAME/VERSION."""
