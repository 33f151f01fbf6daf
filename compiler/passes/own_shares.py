"""Shares that a job has without naming them among its mounts."""

from __future__ import annotations

import posixpath
from collections.abc import Collection
from typing import Final

from bai.compiler.batchai.variables import JOB_ROOT
from bai.compiler.passes.accounts import choose_account, set_key, share_url
from bai.compiler.passes.references import References
from bai.compiler.passes.wire_builder import WireBuilder
from bai.specs.findings import Path

LOGS: Final = "logs"
"""The share of the logs of jobs that say nothing of them, and the path that it is mounted at."""
_JOB: Final = len(("spec", "jobs", "NAME"))
_SHARES: Final[Path] = ("properties", "mountVolumes", "azureFileShares")


def default_logs(builder: WireBuilder, references: References, at: Path) -> None:
    """Put the logs of a job that says nothing of them: into its mount `logs`, or the share.

    Args:
        builder: the job's, whose own mounts are there already.
        references: what the job may name.
        at: the job's place in the document.
    """
    if LOGS in (*references.job_mounts, *references.cluster_mounts):
        path = references.expand(f"${{mounts.{LOGS}}}", at)
    else:
        path = mount_share(builder, LOGS, references.job_mounts, at)
    builder.set(("properties", "stdOutErrPathPrefix"), path, None)


def mount_share(builder: WireBuilder, share: str, mounts: Collection[str], source: Path) -> str:
    """Mount a share of the spec's account at a path with its name, and return that path.

    Args:
        builder: the job's.
        share: the name of the share.
        mounts: the job's own mounts, which it must not overlap with.
        source: the job's place in the document, or one in it that asks for the share.
    """
    scope = builder.scope
    if taken := next(
        (name for name in mounts if posixpath.normpath(name).split("/")[0] == share), None
    ):
        message = f"the mount path {taken!r} overlaps with {share!r}, which bai mounts for the job"
        span = scope.document.key_span((*source[:_JOB], "mounts", taken))
        scope.report("BAI502", message, span, "give the mount another name")
    volume = builder.item(_SHARES, source)
    builder.mark(volume, source)
    account = choose_account(scope, None, source)
    builder.set((*volume, "accountName"), account.name, account.source)
    builder.set((*volume, "azureFileUrl"), share_url(account.name, share), None)
    set_key(builder, volume, None, source)
    builder.set((*volume, "relativeMountPath"), share, None)
    return f"${JOB_ROOT}/{share}"
