"""Every rule, in the order of their codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bai.compiler.resources.resource import Resource
from bai.compiler.rules import (
    cluster_size,
    declared_directories,
    log_path,
    mounted_paths,
    private_image,
    tensorflow_counts,
    variable_names,
    wire_schema,
)
from bai.compiler.rules.rule import Resources, Rule
from bai.specs.findings import Finding

RULES: tuple[Rule, ...] = (
    wire_schema.RULE,
    private_image.RULE,
    variable_names.RULE,
    declared_directories.RULE,
    mounted_paths.RULE,
    log_path.RULE,
    tensorflow_counts.RULE,
    cluster_size.RULE,
)


def check_all(resources: Sequence[Resource]) -> Iterator[Finding]:
    """Iterate over the findings of every rule."""
    context = Resources(resources)
    for rule in RULES:
        yield from rule.findings(context)
