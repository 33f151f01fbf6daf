"""`${mounts.X}`, `${inputs.X}` and `${outputs.X}` to Batch AI's own variables."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from bai.compiler.passes.scope import Scope
from bai.compiler.places import part_span
from bai.specs.findings import Path, Span
from bai.specs.names import nearest, suggestion

_REFERENCE = re.compile(r"\$\{([A-Za-z]+)\.([^{}]*)\}")
_GROUPS = {"mount": "mounts", "input": "inputs", "output": "outputs"}
"""What people write for a group by mistake -> the group."""

GROUPS = ("mounts", "inputs", "outputs")

_FAR: Final = 4_000
"""Characters into a text from which on the whole text is shown: counting its parts takes long."""


@dataclass(frozen=True, slots=True)
class References:
    """What `${...}` may name at one place of a spec."""

    scope: Scope
    job_mounts: Collection[str] = ()
    cluster_mounts: Collection[str] = ()
    inputs: Collection[str] = ()
    outputs: Collection[str] = ()
    complete: bool = True
    """Whether `cluster_mounts` are all there are; not so for a cluster outside the spec."""
    place: str = "job"
    """What the texts belong to, for messages: a job or a setup task."""

    def expand(self, text: str, path: Path) -> str:
        """Return `text`, found at `path` of the document, with every reference expanded.

        A reference to nothing is a finding and stays as it is, and so does what belongs to the
        shell or to another program: `${HOME}`, `${dataset.name}`.
        """

        def replace(match: re.Match[str]) -> str:
            group, name = match.groups()
            if group in GROUPS and (variable := self._variable(group, name)):
                self._doubt(match, name, path)
                return f"{variable}{name}"
            meant = group.lower()
            if group in GROUPS or meant in GROUPS or meant in _GROUPS:
                self._undeclared(match, path)
            return match[0]

        return _REFERENCE.sub(replace, text)

    def _variable(self, group: str, name: str) -> str | None:
        """Return what stands before the name in the expansion; None if it is not declared."""
        if group == "inputs":
            return "$AZ_BATCHAI_INPUT_" if name in self.inputs else None
        if group == "outputs":
            return "$AZ_BATCHAI_OUTPUT_" if name in self.outputs else None
        if name in self.job_mounts:
            return "$AZ_BATCHAI_JOB_MOUNT_ROOT/"
        if name and (name in self.cluster_mounts or not self.complete):
            return "$AZ_BATCHAI_MOUNT_ROOT/"
        return None

    def _doubt(self, match: re.Match[str], name: str, path: Path) -> None:
        """Warn where a name counts as a mount of a cluster outside the spec, but looks wrong."""
        if match[1] != "mounts" or self.complete or name in self.job_mounts:
            return
        if near := nearest(name, self.job_mounts):
            hint = f"did you mean {near}? Otherwise the cluster must have that mount"
            message = f"the job has no mount {name!r}"
            self.scope.warn("BAI403", message, self._span(match, path), hint)

    def _undeclared(self, match: re.Match[str], path: Path) -> None:
        group, name = match.groups()
        group = _GROUPS.get(group.lower(), group.lower())
        declared = {
            "mounts": [*self.job_mounts, *self.cluster_mounts],
            "inputs": list(self.inputs),
            "outputs": list(self.outputs),
        }[group]
        span = self._span(match, path)
        if name in declared:
            message, hint = f"{match[0]} names nothing", f"did you mean ${{{group}.{name}}}?"
        elif self.place != "job" and group != "mounts":
            message, hint = f"a {self.place} has no {group}", "only jobs have them"
        else:
            message = f"{match[0]} names none of the {group}"
            hint = suggestion(name, declared) if declared else f"declare it under {group}"
        self.scope.error("BAI401", message, span, hint)

    def _span(self, match: re.Match[str], path: Path) -> Span:
        if match.start() > _FAR:
            return self.scope.document.span(path)
        before = match.string.count(match[0], 0, match.start())
        return part_span(self.scope.document, path, match[0], before)
