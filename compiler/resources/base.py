"""What all wire models share: Batch AI's camelCase names, no unknown keys, immutability."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, PlainSerializer, PlainValidator
from pydantic.alias_generators import to_camel

from bai.specs.secrets import SecretRef, parse_secret_marker, secret_marker

SecretText = Annotated[
    SecretRef, PlainValidator(parse_secret_marker), PlainSerializer(secret_marker, return_type=str)
]
"""A secret's reference, on the wire as a marker that `reveal` replaces just before sending."""


class WireModel(BaseModel):
    """A piece of a Batch AI resource; snake_case in Python, camelCase on the wire."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        frozen=True,
        # A command needs few of the models: each is built when it is first used.
        defer_build=True,
    )

    def to_wire(self) -> dict[str, Any]:
        """Return the model as JSON data, without unset values and with markers for secrets."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


class ArmId(WireModel):
    """A reference to another resource by its ARM id (Batch AI's ResourceId)."""

    id: str


class KeyVaultSecretReference(WireModel):
    """A secret that the service reads from an Azure Key Vault."""

    source_vault: ArmId
    secret_url: str


class EnvironmentVariable(WireModel):
    """A variable set for a task."""

    name: str
    value: str


class SecretVariable(WireModel):
    """A variable whose value is never reported back (EnvironmentVariableWithSecretValue)."""

    name: str
    value: SecretText | None = None
    value_secret_reference: KeyVaultSecretReference | None = None
