"""The linter's findings about imported files and the specs made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bai.compiler.compilation import Compilation
from bai.compiler.importer.check import Imported
from bai.linter.check import check
from bai.linter.context import RuleContext
from bai.linter.resource_view import ResourceView
from bai.linter.rules.registry import violations
from bai.linter.rules.report import report
from bai.specs.findings import Finding
from bai.specs.load import LoadedSpec


class ImportReview:
    """The importer's `Review`."""

    def spec(self, spec: LoadedSpec, compilation: Compilation) -> Compilation:
        """Return a compilation with the rules' findings added to its own."""
        [checked] = check([spec], [compilation])
        return checked

    def files(self, files: Sequence[Imported]) -> Iterator[Finding]:
        """Iterate over the rules' findings about the files themselves, as `bai lint` does."""
        views = [
            ResourceView(each.kind, each.wire, places=each.document, source=each.document.text)
            for each in files
        ]
        for rule, view, violation in violations(RuleContext(views)):
            yield report(rule.code, view, violation)
