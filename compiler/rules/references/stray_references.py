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

from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects

_REFERENCE: Final = r"\$\{(?:mounts|inputs|outputs)\.[^{}]*\}"


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in subjects.items:
        for path, text in subject.texts:
            # Batch AI's own files have no short references at all.
            if "${" not in text or (subject.is_compiled and subject.is_expanded(path)):
                continue
            for match in re.finditer(_REFERENCE, text):
                message = f"{match[0]} means nothing here"
                hint = "paths, commands, arguments and environment values of jobs may use it"
                if not subject.is_compiled:
                    hint = "only specs have short references: write the path itself"
                yield Complaint(subject, path, message, hint, match[0])


RULE = Rule("BAI408", "a short reference where none is expanded", _check)
