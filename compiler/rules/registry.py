"""The rules with a check of their own, in the order of their codes.

All others are in `catalogue`, with these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from bai.compiler.rules.mounts import lasting_paths, mounted_paths
from bai.compiler.rules.references import arm_ids, declared_directories, stray_references
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.scale import cluster_size, parked_cluster
from bai.compiler.rules.schema import wire_form
from bai.compiler.rules.secrets import filled_in_secrets, known_secrets, likely_secrets
from bai.compiler.rules.subject import Subjects
from bai.compiler.rules.toolkits import tensorflow_arguments, tensorflow_counts
from bai.compiler.rules.values import private_image, variable_names, variables_once


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
    wire_form.RULE,
    private_image.RULE,
    variable_names.RULE,
    variables_once.RULE,
    declared_directories.RULE,
    stray_references.RULE,
    arm_ids.RULE,
    mounted_paths.RULE,
    lasting_paths.RULE,
    known_secrets.RULE,
    likely_secrets.RULE,
    filled_in_secrets.RULE,
    tensorflow_counts.RULE,
    tensorflow_arguments.RULE,
    cluster_size.RULE,
    parked_cluster.RULE,
)


def complaints(subjects: Subjects) -> Iterator[tuple[Rule, Complaint]]:
    """Iterate over what every rule finds."""
    for rule in RULES:
        assert rule.check
        for complaint in rule.check(subjects):
            yield rule, complaint
