"""BAI305: exactly one of two alternative keys is given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bai.compiler.resources.ids import Kind
from bai.linter.facts.cluster_scale import SCALE
from bai.linter.facts.variables import variable_entries
from bai.linter.facts.volumes import BLOB_CONTAINERS, FILE_SHARES, volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Form, rule
from bai.linter.violation import Key, Violation
from bai.specs.findings import Path

_KEY: Final = ("accountKey", "accountKeySecretReference")
_PASSWORD: Final = ("password", "passwordSecretReference")
_VALUE: Final = ("value", "valueSecretReference")
_INSTRUMENTATION: Final = ("instrumentationKey", "instrumentationKeySecretReference")
_SCALES: Final = ("manual", "autoScale")
_BESIDE: Final = frozenset(("username", "name", "component"))
"""Keys that stand beside them in the same mapping."""
_REGISTRY: Final = ("properties", "containerSettings", "imageSourceRegistry", "credentials")
_COUNTERS: Final = ("properties", "nodeSetup", "performanceCountersSettings")
_INSIGHTS: Final = (*_COUNTERS, "appInsightsReference")


def _one_of(pair: tuple[str, str]) -> dict[str, Any]:
    return {"oneOf": [{"required": [key]} for key in pair]}


@rule(
    "BAI305",
    form=Form.FILE,  # In specs, the models check this.
    accepts={
        "AzureStorageCredentialsInfo": _one_of(_KEY),
        "EnvironmentVariableWithSecretValue": _one_of(_VALUE),
        "PrivateRegistryCredentials": _one_of(_PASSWORD),
    },
)
def key_combinations(resource: ResourceView) -> Iterator[Violation]:
    for path, given, pair in _choices(resource):
        # Nearly all have one of the two.
        if type(given) is not dict or (pair[0] in given) is not (pair[1] in given):
            continue
        found = [key for key in given if key in pair]
        if len(found) > 1:
            message = f"{found[0]} and {found[1]} say the same thing twice"
            if pair is _SCALES:
                message = "a scale is fixed or automatic, found manual and autoScale"
            yield Violation(Key((*path, found[1])), message, "keep one of them")
        # An unknown key may be the missing one misspelt, and is reported by the schema.
        elif not found and given.keys() <= _BESIDE:
            message = f"{_name(path)} needs {pair[0]} or {pair[1]}"
            yield Violation(Key(path), message, "add one of them")


def _choices(resource: ResourceView) -> Iterator[tuple[Path, Any, tuple[str, str]]]:
    """Iterate over (path of a mapping, what is there, the two keys of which it has one)."""
    for volume in volumes(resource):
        if volume.kind in (FILE_SHARES, BLOB_CONTAINERS) and "credentials" in volume.entry:
            yield volume.at("credentials"), volume.entry["credentials"], _KEY
    for path, entry in variable_entries(resource, "secrets"):
        yield path, entry, _VALUE
    if resource.kind is Kind.JOB:
        yield _REGISTRY, resource.get(*_REGISTRY), _PASSWORD
    elif resource.kind is Kind.CLUSTER:
        yield SCALE, resource.get(*SCALE), _SCALES
        yield _INSIGHTS, resource.get(*_INSIGHTS), _INSTRUMENTATION


def _name(path: Path) -> str:
    return "the secret" if isinstance(path[-1], int) else str(path[-1])
