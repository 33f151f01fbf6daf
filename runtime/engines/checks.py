"""What the local engine can't do, said before anything is written."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bai.compiler.resources.cluster import Cluster
from bai.compiler.resources.job import Job
from bai.compiler.resources.resource import Resource
from bai.compiler.resources.toolkits import process_count
from bai.runtime.context import EngineSettings
from bai.runtime.engines import mpirun
from bai.runtime.engines.launcher import check_words
from bai.runtime.engines.layout import Layout
from bai.runtime.engines.meeting import no_horovod
from bai.runtime.errors import RuntimeFailure
from bai.runtime.toolkits.registry import launch, toolkit_keys
from bai.runtime.toolkits.task import Nodes, Style
from bai.specs.findings import Finding, Severity
from bai.specs.findings import Path as WirePath


def check_cluster(resource: Resource, settings: EngineSettings) -> Iterator[Finding]:
    """Iterate over what keeps a cluster from this machine."""
    assert isinstance(resource.body, Cluster)
    nodes = resource.body.properties.scale_settings.most_nodes
    if nodes > settings.slots:
        yield _finding(
            resource,
            ("properties", "scaleSettings"),
            "BAI802",
            f"the cluster has {nodes} nodes, this machine takes {settings.slots}",
            _smaller(settings.slots),
        )
    setup = resource.body.properties.node_setup
    for key, part in (
        ("setupTask", setup and setup.setup_task),
        ("performanceCountersSettings", setup and setup.performance_counters_settings),
    ):
        if part:
            yield _finding(
                resource,
                ("properties", "nodeSetup", key),
                "BAI805",
                f"{key} has no effect on this machine",
                "do by hand, or in the job's preparation, what the job needs of it",
                Severity.WARNING,
            )
    if setup and setup.mount_volumes:
        yield from _check_options(resource, ("properties", "nodeSetup", "mountVolumes"))


def check_job(
    resource: Resource, cluster: Cluster | None, settings: EngineSettings, state: Path
) -> Iterator[Finding]:
    """Iterate over what keeps a job from this machine."""
    assert isinstance(resource.body, Job)
    properties = resource.body.properties
    processes = process_count(properties.toolkit, properties.node_count)
    if max(processes, properties.node_count) > settings.slots:
        message = (
            f"the job has {properties.node_count} nodes and {processes} processes, "
            f"this machine takes {settings.slots}"
        )
        path: WirePath = ("properties", "nodeCount")
        yield _finding(resource, path, "BAI802", message, _smaller(settings.slots))
    if properties.container_settings:
        yield _finding(
            resource,
            ("properties", "containerSettings", "imageSourceRegistry", "image"),
            "BAI803",
            "the local engine runs jobs directly on this machine, not in containers",
            "remove `container`, or add --without-containers to run it outside its image",
        )
    yield from _check_launch(resource, settings)
    yield from _check_options(resource, ("properties", "mountVolumes"))
    yield from _check_files(resource, cluster, settings, state)


def _check_launch(resource: Resource, settings: EngineSettings) -> Iterator[Finding]:
    """Iterate over what keeps the processes from starting."""
    properties = resource.body.to_wire()["properties"]
    (toolkit,) = toolkit_keys(properties)
    at: WirePath = ("properties", toolkit)
    try:
        nodes = Nodes(properties["nodeCount"])
        planned = launch(properties, nodes, mpirun=settings.launcher == "mpirun")
    except RuntimeFailure as error:
        yield _finding(resource, at, "BAI704", str(error), None)
        return
    try:
        check_words(planned, [secret["name"] for secret in properties.get("secrets") or ()])
    except RuntimeFailure as error:
        yield _finding(resource, at, "BAI605", str(error), None)
    if planned.style is Style.MPI and not shutil.which(mpirun.PROGRAM):
        message = f"the job starts its processes with {mpirun.PROGRAM}, which is not installed"
        yield _finding(resource, at, "BAI705", message, f"install it: apt install {mpirun.PACKAGE}")
    # Of another interpreter only a run can tell, and a preparation may install it.
    own = settings.python is None and planned.tasks[0].command[0] == "python"
    known = planned.style is Style.HOROVOD and own and "jobPreparation" not in properties
    if known and importlib.util.find_spec("horovod") is None:
        yield _finding(resource, at, "BAI707", no_horovod(sys.executable), None)


def _check_options(resource: Resource, at: WirePath) -> Iterator[Finding]:
    """Iterate over options of mounts, which mean nothing for folders of this machine."""
    holder: Any = resource.body.to_wire()
    for step in at:
        holder = holder.get(step, {})
    for kind, entries in holder.items():
        for index, entry in enumerate(entries):
            if found := [name for name in _OPTIONS if name in entry]:
                yield _finding(
                    resource,
                    (*at, kind, index),
                    "BAI510",
                    f"{' and '.join(found)} of the mount {entry['relativeMountPath']!r} "
                    "has no effect on this machine",
                    "here a mount is a folder, with the permissions that it has",
                    Severity.WARNING,
                )


_OPTIONS = ("fileMode", "directoryMode", "mountOptions")


def _check_files(
    resource: Resource, cluster: Cluster | None, settings: EngineSettings, state: Path
) -> Iterator[Finding]:
    """Iterate over mounts that this machine can't make, and a script that is not there."""
    wire = resource.body.to_wire()
    layout = Layout(
        state,
        settings.storage,
        resource.id,
        "-",
        wire,
        cluster.to_wire() if cluster else None,
    )
    levels = (("mountVolumes", layout.job_volumes), ("cluster", layout.cluster_volumes))
    for key, volumes in levels:
        at: WirePath = ("properties", key)
        try:
            found = volumes()
        except RuntimeFailure as error:
            yield _finding(resource, at, "BAI508", str(error), None)
            return
        for volume in found:
            if not volume.made and not volume.folder.is_dir():
                message = f"{volume.folder}, the mount {volume.path!r}, is no directory"
                yield _finding(resource, at, "BAI509", message, "make it, or mend its path")
                return
    properties = wire["properties"]
    (toolkit,) = toolkit_keys(properties)
    script = properties[toolkit].get("pythonScriptFilePath")
    if not script or "jobPreparation" in properties:
        # A preparation may well be what brings the script.
        return
    path = layout.host_path(script)
    under_mount = not str(path).startswith(str(layout.folder))
    if path.is_absolute() and "$" not in str(path) and under_mount and not path.is_file():
        where: WirePath = ("properties", toolkit, "pythonScriptFilePath")
        hint = "put it there, with `bai storage cp` for a share"
        yield _finding(resource, where, "BAI405", f"there is no script {path}", hint)


def _smaller(slots: int) -> str:
    return (
        f"scale the run down with --max-nodes {slots} --max-processes {slots}, "
        "or raise `slots` in the context"
    )


def _finding(
    resource: Resource,
    path: WirePath,
    code: str,
    message: str,
    hint: str | None,
    severity: Severity = Severity.ERROR,
) -> Finding:
    return Finding(code, severity, message, resource.span(*path), hint)
