"""Rules that check the mount volumes of a job or a cluster, one volume at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps

from bai.compiler.resources.ids import Kind
from bai.linter.facts.volumes import Volume, volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Form, Rule, rule
from bai.linter.violation import Violation

VolumeCheck = Callable[[Volume], Iterator[Violation]]


def volume_rule(
    code: str, *kinds: str, keys: tuple[str, ...], form: Form | None = None
) -> Callable[[VolumeCheck], Rule]:
    """Return a decorator that turns a check of one volume into a rule.

    Args:
        code: the code of its findings.
        kinds: the lists of `mountVolumes` whose volumes it checks; all if there are none.
        keys: the keys that it looks at.
        form: the form of the resources that it checks; None for both.
    """

    def decorate(check: VolumeCheck) -> Rule:
        @wraps(check)
        def check_all(resource: ResourceView) -> Iterator[Violation]:
            for volume in volumes(resource):
                if not kinds or volume.kind in kinds:
                    yield from check(volume)

        return rule(code, Kind.JOB, Kind.CLUSTER, form=form, keys=keys)(check_all)

    return decorate
