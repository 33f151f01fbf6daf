"""`${mounts.X}`, `${inputs.X}` and `${outputs.X}` to Batch AI's own variables."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from bai.compiler.passes.scope import Scope
from bai.specs.findings import Path, Span
from bai.specs.names import suggestion

_REFERENCE = re.compile(r"\$\{(mounts|inputs|outputs)\.([^}]*)\}")


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
    _variables: dict[str, str] = field(
        default_factory=lambda: {
            "inputs": "$AZ_BATCHAI_INPUT_",
            "outputs": "$AZ_BATCHAI_OUTPUT_",
        }
    )

    def expand(self, text: str | None, path: Path) -> str | None:
        """Return `text`, found at `path` of the document, with every reference expanded."""
        if text is None or "${" not in text:
            return text

        def variable(match: re.Match[str]) -> str:
            group, name = match.groups()
            if group != "mounts":
                declared = self.inputs if group == "inputs" else self.outputs
                if name in declared:
                    return self._variables[group] + name
            elif name in self.job_mounts:
                return f"$AZ_BATCHAI_JOB_MOUNT_ROOT/{name}"
            elif name in self.cluster_mounts or not self.complete:
                return f"$AZ_BATCHAI_MOUNT_ROOT/{name}"
            else:
                declared = [*self.job_mounts, *self.cluster_mounts]
            self._undeclared(match, group, list(declared), path)
            return match[0]

        return _REFERENCE.sub(variable, text)

    def _undeclared(
        self, match: re.Match[str], group: str, declared: list[str], path: Path
    ) -> None:
        span = _within(self.scope.document.span(path), self.scope.document.text, match[0])
        message = f"{match[0]} names none of the {group}"
        hint = suggestion(match[2], declared) if declared else f"declare it under {group}"
        self.scope.error("BAI401", message, span, hint)


def _within(span: Span, text: str, part: str) -> Span:
    """Return the span of `part` inside `span`, or `span` where the source is written otherwise."""
    if span.line != span.end_line:
        return span
    line = text.splitlines()[span.line - 1]
    at = line.find(part, span.column - 1, span.end_column - 1)
    if at < 0:
        return span
    return replace(span, column=at + 1, end_column=at + 1 + len(part))
