"""BAI408: `${mounts.X}` and the like stand only where bai expands them.

In a spec these are paths, command lines, arguments and environment values. Elsewhere, and anywhere
in Batch AI's own files, the text is taken as it is, with the dollar and the braces.

Wrong (job):

    outputs: {MODEL: {path: "${mounts.data}", suffix: "${mounts.data}/model"}}

Right (job):

    outputs: {MODEL: {path: "${mounts.data}", suffix: model}}
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation

_REFERENCE: Final = r"\$\{(?:mounts|inputs|outputs)\.[^{}]*\}"


@rule("BAI408")
def stray_references(resource: ResourceView) -> Iterator[Violation]:
    for path, text in resource.texts:
        # Batch AI's own files have no short references at all.
        if "${" not in text or (resource.is_compiled and resource.is_expanded(path)):
            continue
        for match in re.finditer(_REFERENCE, text):
            message = f"{match[0]} means nothing here"
            hint = "paths, commands, arguments and environment values of jobs may use it"
            if not resource.is_compiled:
                hint = "only specs have short references: write the path itself"
            yield Violation(Part(path, match[0]), message, hint)
