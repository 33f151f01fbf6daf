"""How a spec says where a secret lives. No message here may repeat what was written."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from bai.specs.models.base import VARIABLE_PATTERN, Filled, SpecModel, one_key
from bai.specs.models.errors import model_error
from bai.specs.secrets import SOURCES, KeyVaultRef, SecretRef
from bai.specs.source.plain_scalar import kind_of

_KEYS = frozenset((*SOURCES, "keyVault"))


class KeyVaultSecret(SpecModel):
    """A secret in an Azure Key Vault, read by the service."""

    vault: Filled
    """ARM id of the Key Vault: `/subscriptions/.../vaults/NAME`."""
    url: Filled
    """URL of the secret, `https://VAULT.vault.azure.net/secrets/NAME/VERSION`."""


class SecretForm(SpecModel):
    """Never in plain text: `env:NAME` or `file:PATH` in a line, or one of the keys."""

    model_config = ConfigDict(json_schema_extra=one_key("env", "file", "keyVault"))

    env: Filled | None = None
    """Name of an environment variable of the machine that runs bai, read when the spec is applied.
    """
    file: Filled | None = None
    """Path of a file on the machine that runs bai, read when the spec is applied."""
    key_vault: KeyVaultSecret | None = None
    """A secret in an Azure Key Vault, read by the service."""

    def ref(self) -> SecretRef | KeyVaultRef:
        """Return the reference itself."""
        if self.key_vault:
            return KeyVaultRef(self.key_vault.vault, self.key_vault.url)
        return SecretRef("env", self.env) if self.env else SecretRef("file", self.file or "")


class _SecretAnnotation:
    """Reads a secret's place; everything that is none is refused unseen."""

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        form = handler.generate_schema(SecretForm)
        return core_schema.no_info_wrap_validator_function(_reference, form)

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        form = handler(core)
        line = {"type": "string", "pattern": r"^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$"}
        return {"anyOf": [line, form]}


def _reference(value: Any, validate: core_schema.ValidatorFunctionWrapHandler) -> Any:
    if isinstance(value, (SecretRef, KeyVaultRef)):
        return value
    written = value
    if isinstance(value, str):
        source, _, name = value.partition(":")
        written = {source: name} if source in SOURCES else None
    elif isinstance(value, dict):
        # A null leaves its key out, unless there is no other.
        written = {k: v for k, v in value.items() if v is not None or k not in _KEYS} or value
    if not isinstance(written, dict):
        raise no_reference("plain text" if isinstance(value, (str, int, float)) else kind_of(value))
    if not written:
        raise no_reference("a mapping without a key")
    if len(both := [key for key in written if key in _KEYS]) > 1:
        places = " and ".join(both)
        raise model_error("BAI601", f"a secret comes from one place, not from {places}", "keep one")
    if len(written) > 1 or _KEYS.isdisjoint(written):
        raise no_reference("a mapping with another key")
    [(source, inner)] = written.items()
    if source in SOURCES and (not isinstance(inner, str) or not inner):
        raise no_reference("no name or path")
    if source == "env" and not re.fullmatch(VARIABLE_PATTERN, inner):
        raise no_reference("no name of an environment variable behind env:")
    if source == "keyVault" and not isinstance(inner, (dict, KeyVaultSecret)):
        raise no_reference("no vault and url below keyVault")
    return validate(written).ref()


def no_reference(found: str) -> PydanticCustomError:
    """Return the error about what is no reference to a secret; `found` says what it is instead."""
    return model_error(
        "BAI601",
        f"expected a reference to a secret, found {found}",
        "write env:NAME, file:PATH or keyVault: {vault, url}; a spec holds no secrets",
    )


SecretSource = Annotated[SecretRef | KeyVaultRef, _SecretAnnotation()]
"""Where a secret lives: `env:NAME`, `file:PATH`, or `keyVault: {vault: ..., url: ...}`."""
