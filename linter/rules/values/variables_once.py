"""BAI310: an environment variable is set once, plain or secret.

Of two values the processes get only one, and nothing says which.

Wrong (job.json):

    {
      "environmentVariables": [{"name": "TOKEN", "value": "none"}],
      "secrets": [{"name": "TOKEN", "value": "<token>"}]
    }

Right (job.json):

    {
      "secrets": [{"name": "TOKEN", "value": "<token>"}]
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.variables import LISTS, environments
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation


@rule("BAI310")
def variables_once(resource: ResourceView) -> Iterator[Violation]:
    for holder in environments(resource):
        first: dict[str, str] = {}
        for kind in LISTS:
            for path, entry in resource.entries(*holder, kind):
                name = entry.get("name")
                if not isinstance(name, str):
                    continue
                if name in first:
                    message = f"{name} is both a secret and a plain variable"
                    if first[name] == kind:
                        message = f"{name} is set twice"
                    yield Violation((*path, "name"), message, "keep one of them")
                first.setdefault(name, kind)
