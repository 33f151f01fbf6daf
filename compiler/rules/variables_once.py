"""BAI310: an environment variable is plain or secret, not both."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.cluster import SetupTask
from bai.compiler.resources.job import JobProperties
from bai.compiler.resources.resource import Resource
from bai.compiler.rules.rule import Complaint, Resources, Rule
from bai.specs.findings import Path


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource, holder, path in _holders(resources):
        plain = {variable.name for variable in holder.environment_variables or []}
        for index, variable in enumerate(holder.secrets or []):
            if variable.name in plain:
                message = f"{variable.name} is both a secret and a plain variable"
                place = (*path, "secrets", index, "name")
                yield Complaint(resource, place, message, "keep one of them")


def _holders(resources: Resources) -> Iterator[tuple[Resource, JobProperties | SetupTask, Path]]:
    for resource, job in resources.jobs():
        yield resource, job.properties, ("properties",)
    for resource, cluster in resources.clusters():
        setup = cluster.properties.node_setup
        if setup and setup.setup_task:
            yield resource, setup.setup_task, ("properties", "nodeSetup", "setupTask")


RULE = Rule("BAI310", "an environment variable is set twice", _check)
