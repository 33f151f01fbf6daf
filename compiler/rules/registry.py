"""Every rule, in the order of their codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from bai.compiler.resources.resource import Resource
from bai.compiler.rules import (
    arm_ids,
    cluster_size,
    declared_directories,
    log_path,
    mounted_paths,
    parked_cluster,
    private_image,
    stray_references,
    tensorflow_arguments,
    tensorflow_counts,
    variable_names,
    variables_once,
    wire_schema,
)
from bai.compiler.rules.rule import Resources, Rule
from bai.specs.document import Document
from bai.specs.findings import Finding


def registry(*rules: Rule) -> tuple[Rule, ...]:
    """Return the rules in the order of their codes.

    Raises:
        ValueError: two rules share a code.
    """
    counts = Counter(rule.code for rule in rules)
    if shared := [code for code, count in counts.items() if count > 1]:
        raise ValueError(f"more than one rule has the code {' and '.join(shared)}")
    return tuple(sorted(rules, key=lambda rule: rule.code))


RULES: Final = registry(
    wire_schema.RULE,
    private_image.RULE,
    variable_names.RULE,
    variables_once.RULE,
    declared_directories.RULE,
    stray_references.RULE,
    arm_ids.RULE,
    mounted_paths.RULE,
    log_path.RULE,
    tensorflow_counts.RULE,
    tensorflow_arguments.RULE,
    cluster_size.RULE,
    parked_cluster.RULE,
)


def check_all(resources: Sequence[Resource], document: Document) -> Iterator[Finding]:
    """Iterate over the findings of every rule.

    Args:
        resources: the resources of one compilation.
        document: what they were compiled from.
    """
    context = Resources(resources)
    for rule in RULES:
        yield from rule.findings(context, document)
