"""Environment variables and secret ones, as jobs and setup tasks have them alike."""

from __future__ import annotations

from collections.abc import Mapping

from bai.compiler.passes.references import References
from bai.compiler.passes.scope import Scope
from bai.compiler.passes.secrets import set_secret
from bai.compiler.passes.wire_builder import WireBuilder
from bai.specs.findings import Path
from bai.specs.secrets import KeyVaultRef, SecretRef


def lower_variables(
    scope: Scope,
    builder: WireBuilder,
    target: Path,
    environment: Mapping[str, str],
    secrets: Mapping[str, SecretRef | KeyVaultRef],
    references: References,
    at: Path,
) -> None:
    """Put environmentVariables and secrets below the wire path `target`.

    `at` is the place of the job or the task in the document.
    """
    for name, text in environment.items():
        source = (*at, "environment", name)
        place = builder.item((*target, "environmentVariables"), source)
        builder.set_key((*place, "name"), source)
        builder.set((*place, "value"), references.expand(text, source), source)
    for name, ref in secrets.items():
        source = (*at, "secrets", name)
        place = builder.item((*target, "secrets"), source)
        builder.set_key((*place, "name"), source)
        set_secret(scope, builder, (*place, "value"), ref, source)
