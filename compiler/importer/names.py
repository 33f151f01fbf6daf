"""The names that an import gets from the command line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bai.compiler.resources.ids import NAME, RESOURCE_GROUP
from bai.specs.findings import Finding, Severity


@dataclass(frozen=True, slots=True)
class ImportNames:
    """Names that Batch AI's files leave to the command line."""

    experiment: str = "experiment"
    job: str = "job"
    cluster: str | None = None
    """None is `cluster`, with a comment where a job is left without its own."""
    file_server: str = "fileserver"
    workspace: str | None = None
    resource_group: str | None = None
    location: str | None = None

    def findings(self) -> Iterator[Finding]:
        """Iterate over what is wrong with the names; such findings have no place in a file."""
        # A job's cluster may be one outside of the spec, by its ARM id.
        by_id = self.cluster is not None and self.cluster.startswith("/")
        rule = "1 to 64 letters, digits, `-` and `_`"
        for what, name, pattern, hint in (
            ("experiment", self.experiment, NAME, rule),
            ("job", self.job, NAME, rule),
            ("cluster", None if by_id else self.cluster, NAME, rule),
            ("file server", self.file_server, NAME, rule),
            ("workspace", self.workspace, NAME, rule),
            (
                "resource group",
                self.resource_group,
                RESOURCE_GROUP,
                "letters, digits, `-`, `_` and `.`",
            ),
        ):
            if name is not None and not pattern.fullmatch(name):
                message = f"{name!r} is no {what}'s name"
                yield Finding("BAI302", Severity.ERROR, message, None, hint)
