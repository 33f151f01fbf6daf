"""Batch AI's variables in the texts of a spec to `${mounts.X}`, `${inputs.X}` and `${outputs.X}`.

The inverse of `bai.compiler.passes.references`: every text compiles to what it was.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bai.compiler.importer.origins import origin_of, placed
from bai.specs.toolkits import TOOLKITS

_VARIABLE: Final = re.compile(
    r"(?<![\\$])\$AZ_BATCHAI_(?:(?P<group>INPUT|OUTPUT)_(?P<id>\w+)"
    r"|(?P<root>JOB_MOUNT_ROOT|MOUNT_ROOT)/(?P<path>[-\w./]+))",
    re.ASCII,
)


def shorten(sections: Mapping[str, dict[str, Any]]) -> None:
    """Shorten the texts of the jobs and the setup tasks of a spec, in place."""
    clusters = sections["clusters"]
    for cluster in clusters.values():
        if task := cluster.get("setupTask"):
            texts = _Texts(cluster_mounts=cluster.get("mounts", ()))
            texts.shorten(task, "command", "logs")
            texts.shorten(task.get("environment", {}))
    # A job without a cluster runs on the only one.
    only = next(iter(clusters)) if len(clusters) == 1 else None
    for job in sections["jobs"].values():
        _shorten_job(job, clusters.get(job.get("cluster", only), {}).get("mounts", ()))


def _shorten_job(job: dict[str, Any], cluster_mounts: Collection[str]) -> None:
    inputs, outputs = job.get("inputs", {}), job.get("outputs", {})
    texts = _Texts(job.get("mounts", ()), cluster_mounts, inputs, outputs)
    texts.shorten(job, "logs", "preparation")
    texts.shorten(inputs)
    texts.shorten(outputs)
    for output in outputs.values():
        if isinstance(output, dict):
            texts.shorten(output, "path")
    texts.shorten(job.get("environment", {}))
    for toolkit in TOOLKITS:
        texts.shorten(job.get(toolkit, {}))


@dataclass(frozen=True, slots=True)
class _Texts:
    """What the texts of one job or setup task may refer to."""

    job_mounts: Collection[str] = ()
    cluster_mounts: Collection[str] = ()
    inputs: Collection[str] = ()
    outputs: Collection[str] = ()

    def shorten(self, holder: dict[str, Any], *keys: str) -> None:
        """Shorten the texts behind these keys, by default all."""
        for key in keys or holder:
            if isinstance(text := holder.get(key), str):
                holder[key] = placed(_VARIABLE.sub(self._reference, text), origin_of(text))

    def _reference(self, match: re.Match[str]) -> str:
        id, path = match["id"], match["path"]
        if match["group"]:
            known = self.inputs if match["group"] == "INPUT" else self.outputs
            return f"${{{match['group'].lower()}s.{id}}}" if id in known else match[0]
        mounts = self.job_mounts if match["root"] == "JOB_MOUNT_ROOT" else self.cluster_mounts
        mount = next((name for name in mounts if f"{path}/".startswith(f"{name}/")), None)
        if mount is None:
            return match[0]
        scope = ""
        if mount in self.job_mounts and mount in self.cluster_mounts:
            # `${mounts.X}` would be the job's, and a finding.
            scope = "job." if mounts is self.job_mounts else "cluster."
        return f"${{{scope}mounts.{mount}}}{path[len(mount) :]}"
