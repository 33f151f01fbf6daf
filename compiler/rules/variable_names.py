"""BAI309: an environment variable has a name of its own, not one of the service's."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.rule import Complaint, Resources, Rule
from bai.compiler.rules.texts import texts

_RESERVED = ("AZ_BATCHAI_", "AZ_BATCH_")


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource in resources.items:
        for path, text in texts(resource.to_wire()):
            lists = ("environmentVariables", "secrets")
            if path[-1] == "name" and path[-3] in lists and text.startswith(_RESERVED):
                message = f"{text} is one of the service's variables"
                yield Complaint(resource, path, message, "choose another name")


RULE = Rule("BAI309", "an environment variable takes the service's name", _check)
