"""References to secrets. A spec names where a secret lives; it never holds the secret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bai.specs.placeholders import STORAGE_KEY_PLACEHOLDER

SecretSource = Literal["env", "file"]
SOURCES: tuple[SecretSource, ...] = ("env", "file")


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


STORAGE_KEY = SecretRef("env", "AZURE_BATCHAI_STORAGE_KEY")
"""Where the old command line looked for the storage key."""


def secret_marker(ref: SecretRef) -> str:
    """Return the text that stands for a secret on the wire and in the state."""
    return STORAGE_KEY_PLACEHOLDER if ref == STORAGE_KEY else str(ref)


def parse_secret_marker(value: object) -> SecretRef:
    """Return the reference behind a marker.

    Raises:
        ValueError: `value` is anything else, a secret in plain text for one.
    """
    if isinstance(value, SecretRef):
        return value
    if value == STORAGE_KEY_PLACEHOLDER:
        return STORAGE_KEY
    if isinstance(value, str) and value.startswith("<secret ") and value.endswith(">"):
        source, _, name = value[len("<secret ") : -1].partition(":")
        for known in SOURCES:
            if source == known and name:
                return SecretRef(known, name)
    raise ValueError("expected a reference to a secret, not the secret itself")
