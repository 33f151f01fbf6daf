"""A compilation: specs to resources, then the rules."""

from __future__ import annotations

from collections.abc import Sequence

from bai.compiler.compilation import Compilation, Defaults
from bai.compiler.lowering import lower_specs
from bai.compiler.rules.registry import complaints
from bai.compiler.rules.subject import Subjects
from bai.specs.findings import by_place
from bai.specs.load import LoadedSpec


def compile_spec(spec: LoadedSpec, defaults: Defaults) -> Compilation:
    """Expand a spec into Batch AI resources.

    Args:
        spec: a spec that loaded without findings of its own.
        defaults: what the spec may leave unsaid.

    Returns:
        The resources in the order in which they must exist, and every finding; with an error
        among the findings the resources are not fit to be sent.
    """
    [compilation] = compile_specs([spec], defaults)
    return compilation


def compile_specs(specs: Sequence[LoadedSpec], defaults: Defaults) -> list[Compilation]:
    """Expand specs that belong together, each as `compile_spec` does."""
    lowered = lower_specs(specs, defaults)
    found = [list(each.findings) for each in lowered]
    # Rules see all of them at once, since a job may run on a cluster of another spec.
    owners = {
        id(subject): mine
        for each, mine in zip(lowered, found, strict=True)
        for subject in each.subjects
    }
    subjects = Subjects([subject for each in lowered for subject in each.subjects])
    for rule, complaint in complaints(subjects):
        owners[id(complaint.subject)].append(rule.finding(complaint))
    # Jobs that share a part of the spec by an alias share its findings as well.
    return [
        Compilation(each.resources, tuple(sorted(dict.fromkeys(mine), key=by_place)))
        for each, mine in zip(lowered, found, strict=True)
    ]
