"""What the models of a spec share."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from bai.specs.complaints import complaint
from bai.specs.scalars import Int, Text, kind_of
from bai.specs.secrets import KeyVaultRef, SecretRef

NAME_PATTERN = r"^[-\w]{1,64}$"
VARIABLE_PATTERN = r"^[A-Za-z_][A-Za-z0-9_]*$"

Name = Annotated[Text, StringConstraints(pattern=NAME_PATTERN)]
"""A resource's name: 1 to 64 letters, digits, `-` and `_`."""

VariableName = Annotated[Text, StringConstraints(pattern=VARIABLE_PATTERN)]
"""A part of an environment variable's name."""

Filled = Annotated[Text, StringConstraints(min_length=1)]
"""A string that is not empty."""

Count = Annotated[Int, Field(ge=1)]
Size = Annotated[Int, Field(ge=0)]


class SpecModel(BaseModel):
    """A mapping in a spec: camelCase keys, no unknown ones."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
        arbitrary_types_allowed=True,
    )


def short_form(key: str) -> Any:
    """Return a validator that reads a bare scalar as `{key: scalar}`."""

    def expand(value: Any) -> Any:
        return value if isinstance(value, (dict, SpecModel)) or value is None else {key: value}

    return BeforeValidator(expand)


class KeyVaultSecret(SpecModel):
    """A secret in an Azure Key Vault, read by the service."""

    vault: Filled
    """ARM id of the Key Vault."""
    url: Filled
    """URL of the secret, `https://VAULT.vault.azure.net/secrets/NAME/VERSION`."""


def _secret(value: Any) -> SecretRef | KeyVaultRef:
    if isinstance(value, (SecretRef, KeyVaultRef)):
        return value
    text = isinstance(value, str)
    if text:
        source, _, name = value.partition(":")
        value = {source: name}
    if isinstance(value, dict) and len(value) == 1:
        [(source, inner)] = value.items()
        if source in ("env", "file") and isinstance(inner, str) and inner:
            return SecretRef(source, str(inner))
        if source == "keyVault" and isinstance(inner, (dict, KeyVaultSecret)):
            vault = KeyVaultSecret.model_validate(inner)
            return KeyVaultRef(vault.vault, vault.url)
    found = "something else" if text else kind_of(value)
    raise complaint(
        "BAI601",
        f"expected a reference to a secret, found {found}",
        "write env:NAME, file:PATH or keyVault: {vault, url}; a spec holds no secrets",
    )


SecretSource = Annotated[SecretRef | KeyVaultRef, BeforeValidator(_secret)]
"""Where a secret lives: `env:NAME`, `file:PATH`, or `keyVault: {vault: ..., url: ...}`."""
