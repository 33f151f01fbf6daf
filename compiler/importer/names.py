"""Names that Batch AI's files lack: from the command line, else from the files' paths."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bai.compiler.resources.ids import NAME, RESOURCE_GROUP, Kind
from bai.specs.codes import make_finding
from bai.specs.findings import Finding

_ROLES: Final = frozenset(
    ("cluster", "config", "experiment", "fileserver", "job", "jobs", "json", "nfs", "yaml", "yml")
)
"""Words in the names of files that say what is in them, and not which one it is."""
_LONGEST: Final = 64


@dataclass(frozen=True, slots=True)
class ImportNames:
    """Names that a person gives; where they are None, those of the files' paths are taken."""

    experiment: str | None = None
    job: str | None = None
    cluster: str | None = None
    file_server: str | None = None
    workspace: str | None = None
    resource_group: str | None = None
    location: str | None = None

    def of(self, kind: Kind, file: str) -> str:
        """Return the name of the resource in a file, given with its path.

        A job is called like its file or else the folder, a cluster and a file server like the file.
        """
        given = {
            Kind.EXPERIMENT: self.experiment,
            Kind.JOB: self.job,
            Kind.CLUSTER: self.cluster,
            Kind.FILE_SERVER: self.file_server,
        }
        folder = posixpath.dirname(file) if kind in (Kind.EXPERIMENT, Kind.JOB) else ""
        suggested = _of_file(file) or _valid(posixpath.basename(folder))
        return given[kind] or suggested or kind.singular.lower()

    def findings(self) -> Iterator[Finding]:
        """Iterate over the errors of the names; these findings have no place in a file."""
        # A job's cluster may be one outside of the spec, by its ARM id.
        by_id = self.cluster is not None and self.cluster.startswith("/")
        rule = "1 to 64 letters, digits, `-` and `_`, not `-` first"
        group_rule = "letters, digits, `-`, `_` and `.`"
        for what, name, pattern, hint in (
            ("experiment", self.experiment, NAME, rule),
            ("job", self.job, NAME, rule),
            ("cluster", None if by_id else self.cluster, NAME, rule),
            ("file server", self.file_server, NAME, rule),
            ("workspace", self.workspace, NAME, rule),
            ("resource group", self.resource_group, RESOURCE_GROUP, group_rule),
        ):
            if name is not None and not pattern.fullmatch(name):
                yield make_finding("BAI302", f"{name!r} is no {what}'s name", None, hint)


def _of_file(file: str) -> str:
    """Return the name that a file's own name suggests: `gpu` for gpu.cluster.json; or nothing."""
    parts = posixpath.basename(file).split(".")
    return _valid("-".join(part for part in parts if part.lower() not in _ROLES))


def _valid(text: str) -> str:
    """Return a text as a name in lower case, or nothing if no letter or digit is in it."""
    return re.sub("[^a-z0-9_-]+", "-", text.lower()).strip("-_")[:_LONGEST].rstrip("-_")
