"""BAI512: options of a blob container are words of blobfuse's command line.

`mountOptions` is put on the command line of blobfuse as it is: `-o ro`, or
`--file-cache-timeout-in-seconds=120`. A word that follows no option would be taken for the
directory to mount at.

Wrong (job):

    mounts: {data: "azureBlob://visiondata/data?options=ro"}

Right (job):

    mounts: {data: "azureBlob://visiondata/data?options=-o ro"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.volumes import volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation


@rule("BAI512")
def blob_options(resource: ResourceView) -> Iterator[Violation]:
    for volume in volumes(resource):
        if volume.kind != "azureBlobFileSystems":
            continue
        options = volume.text("mountOptions")
        if options and (word := _stray(options)):
            message = f"{word!r} is no option of blobfuse by itself"
            path = (*volume.path, "mountOptions")
            yield Violation(Part(path, word), message, f"write -o {word}")


def _stray(options: str) -> str | None:
    """Return the first word that is no option and follows none; None if it can't be told."""
    if "'" in options or '"' in options:
        return None
    takes_value = False
    for word in options.split():
        if not word.startswith("-") and not takes_value:
            return word
        takes_value = word.startswith("-") and "=" not in word
    return None
