"""BAI305: exactly one of two alternative keys is given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bai.compiler.resources.ids import Kind
from bai.linter.facts.cluster_scale import SCALE
from bai.linter.facts.variables import environments
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

_VOLUMES: Final[dict[Kind, Path]] = {
    Kind.JOB: ("properties", "mountVolumes"),
    Kind.CLUSTER: ("properties", "nodeSetup", "mountVolumes"),
}
_REGISTRY: Final = ("properties", "containerSettings", "imageSourceRegistry", "credentials")
_INSIGHTS: Final = (
    "properties",
    "nodeSetup",
    "performanceCountersSettings",
    "appInsightsReference",
)


@rule("BAI305", form=Form.FILE)  # In specs, the models check this.
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
            place = (*path, found[1])
            yield Violation(Key(place), message, "keep one of them")
        # An unknown key may be the missing one misspelt, and is reported by the schema.
        elif not found and given.keys() <= _BESIDE:
            message = f"{_name(path)} needs {pair[0]} or {pair[1]}"
            yield Violation(Key(path), message, "add one of them")


def _choices(resource: ResourceView) -> Iterator[tuple[Path, Any, tuple[str, str]]]:
    """Iterate over (path of a mapping, what is there, the two keys of which it has one)."""
    if holder := _VOLUMES.get(resource.kind):
        for kind in ("azureFileShares", "azureBlobFileSystems"):
            for path, entry in resource.entries(*holder, kind):
                if "credentials" in entry:
                    yield (*path, "credentials"), entry["credentials"], _KEY
    for holder in environments(resource):
        for path, entry in resource.entries(*holder, "secrets"):
            yield path, entry, _VALUE
    if resource.kind is Kind.JOB:
        yield _REGISTRY, resource.get(*_REGISTRY), _PASSWORD
    elif resource.kind is Kind.CLUSTER:
        yield SCALE, resource.get(*SCALE), _SCALES
        yield _INSIGHTS, resource.get(*_INSIGHTS), _INSTRUMENTATION


def _name(path: Path) -> str:
    return "the secret" if isinstance(path[-1], int) else str(path[-1])
