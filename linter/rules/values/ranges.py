"""BAI303: numbers are in the range that the service allows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.facts.cluster_scale import SCALE
from bai.linter.facts.toolkits import toolkits
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Key, Violation
from bai.specs.findings import Path

_AUTO: Final = (*SCALE, "autoScale")
_PROCESSES: Final = ("processCount", "workerCount", "parameterServerCount")
_LARGEST: Final = 2**31 - 1
"""All of the service's integers have 32 bits."""
_MOST_ADDRESSES: Final = 400


_COUNT: Final = {"minimum": 1, "maximum": _LARGEST}


@rule("BAI303", accepts=dict.fromkeys(("nodeCount", *_PROCESSES), _COUNT))
def ranges(resource: ResourceView) -> Iterator[Violation]:
    for least, path in _counts(resource):
        number = resource.number(*path)
        if number is not None and not least <= number <= _LARGEST:
            bound = f"at least {least}" if number < least else f"at most {_LARGEST}"
            yield Violation(path, f"{path[-1]}: expected {bound}, found {_shown(number)}")
    if resource.kind is Kind.CLUSTER:
        yield from _scale(resource)
    elif resource.kind is Kind.FILE_SERVER:
        yield from _addresses(resource)


def _counts(resource: ResourceView) -> Iterator[tuple[int, Path]]:
    """Iterate over the (least value, path) of numbers."""
    match resource.kind:
        case Kind.JOB:
            yield 1, ("properties", "nodeCount")
            for toolkit, settings in toolkits(resource):
                for key in _PROCESSES:
                    if key in settings:
                        yield 1, ("properties", toolkit, key)
        case Kind.CLUSTER:
            yield 0, (*SCALE, "manual", "targetNodeCount")
            for name in ("minimum", "maximum", "initial"):
                yield 0, (*_AUTO, f"{name}NodeCount")
        case Kind.FILE_SERVER:
            yield 1, ("properties", "dataDisks", "diskCount")
            yield 1, ("properties", "dataDisks", "diskSizeInGB")


def _scale(cluster: ResourceView) -> Iterator[Violation]:
    least = cluster.number(*_AUTO, "minimumNodeCount")
    most = cluster.number(*_AUTO, "maximumNodeCount")
    first = cluster.number(*_AUTO, "initialNodeCount")
    if least is None or most is None:
        return
    if least > most:
        message = f"minimumNodeCount {least} is above maximumNodeCount {most}"
        yield Violation((*_AUTO, "minimumNodeCount"), message, "swap the two")
    elif first is not None and not least <= first <= most and first >= 0:
        message = f"initialNodeCount {first} is not between {least} and {most}"
        yield Violation((*_AUTO, "initialNodeCount"), message)


def _addresses(server: ResourceView) -> Iterator[Violation]:
    path = ("properties", "sshConfiguration", "publicIPsToAllow")
    addresses = server.get(*path)
    if type(addresses) is list and len(addresses) > _MOST_ADDRESSES:
        message = f"{path[-1]}: expected at most {_MOST_ADDRESSES} items, found {len(addresses)}"
        yield Violation(Key(path), message, "write ranges, such as 192.0.2.0/24")


def _shown(number: int) -> str:
    # Python refuses to write integers of thousands of digits.
    return str(number) if number.bit_length() < 200 else "a number of more than 60 digits"
