"""The rules over compiled resources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bai.compiler.resources.resource import Resource
from bai.compiler.rules.machine import Files, Shell
from bai.compiler.rules.registry import complaints
from bai.compiler.rules.subject import Subject, Subjects
from bai.specs.document import Document
from bai.specs.findings import Finding, Path, Span


@dataclass(frozen=True, slots=True)
class _SpecPlaces:
    """The places in a spec that a resource's values came from."""

    resource: Resource

    def span(self, path: Path) -> Span | None:
        return self.resource.span(*path)

    def key_span(self, path: Path) -> Span | None:
        return self.resource.span(*path)


def check_all(
    resources: Sequence[Resource],
    document: Document,
    files: Files | None = None,
    shell: Shell | None = None,
) -> Iterator[Finding]:
    """Iterate over the findings of every rule.

    Args:
        resources: the resources of one compilation.
        document: what they were compiled from.
        files: the files of this machine, for rules that look at scripts.
        shell: ShellCheck, for the rule that asks it.
    """
    subjects = [
        Subject(each.id.kind, each.to_wire(), each.id, _SpecPlaces(each), document.text)
        for each in resources
    ]
    for rule, complaint in complaints(Subjects(subjects, files, shell)):
        yield rule.finding(complaint)
