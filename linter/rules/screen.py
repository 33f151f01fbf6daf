"""The screen: one JSON Schema that usual job files pass, so that most rules need not run on them.

A rule about single values declares values about which it finds nothing (`Rule.accepts`), place by
place. jsonschema-rs compares a file with those of all rules, and with the schema of job files, in
less time than a few rules take. These rules run only on files that do not pass. So a declaration
may leave out what is right, where that makes it simpler, but must not contain what is wrong.

A place is one of

- `Definition`: each value of a definition of schemas/2018-05-01/job.json;
- `Definition.key`: the values behind a key of it;
- `key`: the values behind a key, in all definitions and in the job itself;
- `*`: every text;
- `$`: all uses of variables; accepted are those of the job's own mounts and directories.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from bai.linter.context import RuleContext
from bai.linter.facts.own_variables import uses_own_variables
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import EVERY_TEXT, NEVER, OWN_VARIABLES, Rule, without
from bai.schemas.validators import compiled, schema

Screen = Callable[[ResourceView, RuleContext], bool]


def screen(rules: Iterable[Rule]) -> Screen:
    """Return a function that returns whether a job file passes: no rule with `accepts` need run.

    Files that are not valid, or have comments or expressions of templates, do not pass.

    Raises:
        ValueError: a rule names a place that job files do not have.
    """
    data = json.loads(json.dumps(schema("job", "source")))
    data["properties"]["comment"] = data["definitions"]["expression"] = NEVER
    accepted = _by_place(rules)
    # A schema's own texts would each have a copy of the patterns, which take long to compile.
    of_texts = accepted.pop(EVERY_TEXT, [])
    accepted.pop(OWN_VARIABLES, None)
    found = {place for holder in list(_holders(data)) for place in _narrow(*holder, accepted)}
    if unknown := accepted.keys() - found:
        raise ValueError(f"job files have no place {', '.join(sorted(unknown))}")
    accepts, accept_texts = compiled(data), compiled({"items": {"allOf": of_texts}})

    def passes(job: ResourceView, context: RuleContext) -> bool:
        return (
            accepts(job.wire)
            and accept_texts([text for _, text in job.texts])
            and uses_own_variables(job, context)
        )

    return passes


def _by_place(rules: Iterable[Rule]) -> dict[str, list[Any]]:
    """Return place -> schemas of what all rules accept there."""
    found: dict[str, list[Any]] = {}
    refused: dict[str, dict[str, None]] = {}
    for rule in rules:
        for place, values in rule.accepts.items():
            for each in values.get("allOf", [values]):
                known = found.setdefault(place, [])
                # One pattern for all takes hardly longer than one for each.
                if each.keys() == {"not"} and each["not"].keys() == {"pattern"}:
                    refused.setdefault(place, {})[each["not"]["pattern"]] = None
                elif each not in known:
                    known.append(each)
    for place, patterns in refused.items():
        found[place].append(without("|".join(patterns)))
    return found


def _holders(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Iterate over mappings of names to schemas, with what stands before the names in places."""
    yield "", data["definitions"]
    yield "", data["properties"]
    yield "", data["properties"]["properties"]["properties"]
    for name, definition in data["definitions"].items():
        yield name, definition.get("properties", {})


def _narrow(owner: str, holder: dict[str, Any], accepted: dict[str, list[Any]]) -> Iterator[str]:
    """Narrow the schemas of a mapping to what is accepted, and iterate over the places of it."""
    for name, node in holder.items():
        places = [name, f"{owner}.{name}"] if owner else [name]
        yield from places
        if values := [each for place in places for each in accepted.get(place, ())]:
            # In this draft, nothing may stand beside a `$ref`.
            holder[name] = {"allOf": [node, *values]}
