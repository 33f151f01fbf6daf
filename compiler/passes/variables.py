"""Environment variables and secret ones, as jobs and setup tasks have them alike."""

from __future__ import annotations

from bai.compiler.passes.references import References
from bai.compiler.passes.wire_builder import WireBuilder
from bai.specs.findings import Path
from bai.specs.models.job import Job
from bai.specs.models.machines import SetupTask


def lower_variables(
    builder: WireBuilder, target: Path, owner: Job | SetupTask, references: References, at: Path
) -> None:
    """Put environmentVariables and secrets below the wire path `target`.

    `at` is the place of `owner` in the document.
    """
    for name, text in owner.environment.items():
        source = (*at, "environment", name)
        place = builder.item((*target, "environmentVariables"), source)
        builder.set_key((*place, "name"), source)
        builder.set((*place, "value"), references.expand(text, source), source)
    for name, ref in owner.secrets.items():
        source = (*at, "secrets", name)
        place = builder.item((*target, "secrets"), source)
        builder.set_key((*place, "name"), source)
        builder.set_secret((*place, "value"), ref, source)
