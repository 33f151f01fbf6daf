"""Parameters of a spec that nothing refers to."""

from __future__ import annotations

from bai.compiler.passes.scope import Scope
from bai.specs.parameters.references import DECLARATIONS, written


def report_unused(scope: Scope) -> None:
    """Report the parameters that nothing in the spec refers to."""
    for name in scope.spec.parameters:
        if name not in scope.loaded.used_parameters:
            span = scope.document.key_span((*DECLARATIONS, name))
            hint = f"write {written(name)} where its value belongs, or leave it out"
            scope.report("BAI421", f"nothing uses the parameter {name}", span, hint)
