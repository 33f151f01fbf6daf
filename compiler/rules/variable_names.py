"""BAI309: an environment variable is set once, and not over one of Batch AI's own."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.rule import Complaint, Resources, Rule


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource, job in resources.jobs():
        plain = [v.name for v in job.properties.environment_variables or []]
        for index, name in enumerate(plain):
            if name.startswith(("AZ_BATCHAI_", "AZ_BATCH_")):
                path = ("properties", "environmentVariables", index, "name")
                hint = "choose another name"
                yield Complaint(resource, path, f"{name} is one of the service's variables", hint)
        for index, variable in enumerate(job.properties.secrets or []):
            if variable.name in plain:
                path = ("properties", "secrets", index, "name")
                message = f"{variable.name} is both a secret and a plain variable"
                yield Complaint(resource, path, message, "keep one of them")


RULE = Rule("BAI309", "an environment variable is set twice", _check)
