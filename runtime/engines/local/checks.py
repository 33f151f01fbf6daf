"""Finds what the local engine can't do, before anything is written."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bai.compiler.resources.cluster import Cluster
from bai.compiler.resources.job import Job
from bai.compiler.resources.resource import Resource
from bai.runtime.engines.local.containers import check_container
from bai.runtime.engines.local.file_checks import (
    CLUSTER_MOUNTS,
    JOB_MOUNTS,
    Machine,
    check_cluster_mounts,
    check_files,
    check_mounts,
    check_options,
    check_real_accounts,
    finding_at,
)
from bai.runtime.engines.local.settings import EngineSettings
from bai.runtime.errors import LaunchError, SettingError
from bai.runtime.jobs.paths import AttemptPaths, Wire
from bai.runtime.secrets import in_key_vault
from bai.runtime.toolkits.python_script import ARGUMENTS, words
from bai.runtime.toolkits.registry import launch, toolkit_keys
from bai.runtime.toolkits.requirements import (
    MPIRUN,
    MPIRUN_PACKAGE,
    named_secret,
    no_horovod,
    shown_secret,
)
from bai.runtime.toolkits.task import Launch, Nodes, Style
from bai.specs.document import value_at
from bai.specs.findings import Finding
from bai.specs.findings import Path as WirePath
from bai.specs.words import counted

_BY_HAND: Final = "do by hand, or in the job's preparation, what the job needs of it"


def check_cluster(
    resource: Resource, settings: EngineSettings, machine: Machine, *, runs_setup: bool
) -> Iterator[Finding]:
    """Iterate over what keeps a cluster from this machine.

    Args:
        resource: the cluster.
        settings: how this machine runs jobs.
        machine: where it mounts.
        runs_setup: whether setup tasks run here.
    """
    assert isinstance(resource.body, Cluster)
    scale = resource.body.properties.scale_settings
    nodes = scale.most_nodes
    if nodes > settings.slots:
        last = (
            ("autoScale", "maximumNodeCount") if scale.auto_scale else ("manual", "targetNodeCount")
        )
        at = ("properties", "scaleSettings", *last)
        why = "each node takes one, whether a job needs it or not"
        has = "has" if resource.spans else "would have"
        what = f"the cluster {has} {counted(nodes, 'node')}"
        yield _too_large(resource, at, what, why, settings, nodes=nodes, processes=0)
    setup = resource.body.properties.node_setup
    if setup and setup.setup_task and runs_setup:
        yield from _check_setup(resource, machine)
    elif setup and setup.setup_task:
        way = (
            'write setup-task = "run" below '
            f"[contexts.{settings.context}.engine] in bai.toml to run it here, as you; "
            f"or {_BY_HAND}"
        )
        yield _no_effect(resource, "setupTask", "setupTask", way)
    if setup and setup.performance_counters_settings:
        yield _no_effect(resource, "performanceCountersSettings", "performanceCounters", _BY_HAND)
    yield from check_options(resource, CLUSTER_MOUNTS, machine)


def _no_effect(resource: Resource, key: str, name: str, hint: str) -> Finding:
    at = ("properties", "nodeSetup", key)
    return finding_at(resource, at, "BAI805", f"{name} has no effect on this machine", hint)


def _check_setup(resource: Resource, machine: Machine) -> Iterator[Finding]:
    """Iterate over what keeps a cluster's setup task from running."""
    yield from _check_vaults(resource, ("properties", "nodeSetup", "setupTask", "secrets"))
    yield from check_mounts(resource, CLUSTER_MOUNTS, machine)


def _check_vaults(resource: Resource, at: WirePath) -> Iterator[Finding]:
    """Iterate over the secrets at a path that are in a Key Vault."""
    for index, secret in enumerate(value_at(resource.to_wire(), at) or ()):
        if "value" not in secret:
            hint = "write env:NAME or file:PATH"
            yield finding_at(resource, (*at, index), "BAI604", in_key_vault(secret["name"]), hint)


def check_job(
    resource: Resource,
    cluster: Resource | None,
    settings: EngineSettings,
    state: Path,
    machine: Machine,
) -> Iterator[Finding]:
    """Iterate over what keeps a job from this machine.

    Args:
        resource: the job.
        cluster: what it will run on, where that is known; without spans if it is not desired.
        settings: how this machine runs jobs.
        state: the state folder.
        machine: where it mounts.
    """
    assert isinstance(resource.body, Job)
    wire = resource.to_wire()
    (toolkit,) = toolkit_keys(wire["properties"])
    yield from _check_size(resource, resource.body, toolkit, settings)
    yield from check_container(resource, settings)
    yield from _check_vaults(resource, ("properties", "secrets"))
    yield from _check_launch(resource, wire["properties"], toolkit, settings)
    yield from check_options(resource, JOB_MOUNTS, machine)
    yield from check_mounts(resource, JOB_MOUNTS, machine)
    if cluster:
        yield from check_cluster_mounts(resource, cluster, machine)
    cluster_wire = cluster.to_wire() if cluster else None
    paths = AttemptPaths.in_state(
        state, machine.storage, machine.file_servers, resource.id, "-", wire, cluster_wire
    )
    yield from check_real_accounts(resource, paths)
    yield from check_files(resource, toolkit, paths)


def _check_size(
    resource: Resource, job: Job, toolkit: str, settings: EngineSettings
) -> Iterator[Finding]:
    nodes = job.properties.node_count
    processes = job.properties.process_count
    if max(nodes, processes) <= settings.slots:
        return
    is_tensorflow = toolkit == "tensorFlowSettings"
    at: WirePath = ("properties", "nodeCount")
    if nodes <= settings.slots:
        at = ("properties", toolkit, "workerCount" if is_tensorflow else "processCount")
    # A parameter server takes no slot: it waits for the workers, on a node of theirs.
    unit, plural = ("worker", "workers") if is_tensorflow else ("process", "processes")
    what = f"the job has {counted(nodes, 'node')} and {counted(processes, unit, plural)}"
    why = f"each node and each {unit} takes one"
    yield _too_large(resource, at, what, why, settings, nodes=nodes, processes=processes)


def _too_large(
    resource: Resource,
    at: WirePath,
    what: str,
    why: str,
    settings: EngineSettings,
    *,
    nodes: int,
    processes: int,
) -> Finding:
    """Return the finding for what takes more slots than there are, with the way out."""
    slots, needed = settings.slots, max(nodes, processes)
    cut = [name for name, wanted in (("nodes", nodes), ("processes", processes)) if wanted > slots]
    options = " ".join(f"--max-{name} {slots}" for name in cut)
    arguments = ", ".join(f"max_{name}={slots}" for name in cut)
    room = f"write slots = {needed} below [contexts.{settings.context}.engine] in bai.toml"
    # The command may have other options already.
    hint = (
        f"add {options} to run it smaller, or {room}; in Python: limits=bai.Limits({arguments})"
        if resource.spans
        else f"ask for {slots} at most, or {room}"
    )
    message = f"{what}, and this machine has {counted(slots, 'slot')}: {why}"
    return finding_at(resource, at, "BAI802", message, hint)


def _check_launch(
    resource: Resource, properties: Wire, toolkit: str, settings: EngineSettings
) -> Iterator[Finding]:
    """Iterate over what keeps the processes from starting."""
    at: WirePath = ("properties", toolkit)
    nodes = Nodes(properties["nodeCount"])
    try:
        planned = launch(properties, nodes, mpirun=settings.launcher == "mpirun")
    except SettingError as error:
        yield finding_at(resource, (*at, error.key), "BAI704", str(error), "close it")
        return
    except LaunchError as error:
        yield finding_at(resource, at, "BAI704", str(error))
        return
    yield from _check_words(resource, properties, toolkit, planned)
    if "containerSettings" in properties:
        # What is installed here is not what the job has.
        return
    if planned.style is Style.MPI and not _finds_mpirun(properties, settings.python):
        backend = (*at, "communicationBackend")
        message = f"the job starts its processes with {MPIRUN}, which is not installed"
        hint = f"install it: apt install {MPIRUN_PACKAGE}, or pip install impi-rt"
        yield finding_at(resource, backend, "BAI705", message, hint)
    # Only a run shows what another interpreter has, and a preparation may install it.
    own = settings.python is None and planned.tasks[0].command[0] == "python"
    known = planned.style is Style.HOROVOD and own and "jobPreparation" not in properties
    if known and importlib.util.find_spec("horovod") is None:
        yield finding_at(resource, at, "BAI707", no_horovod(sys.executable))


def _finds_mpirun(properties: Wire, python: str | None) -> bool:
    """Return whether the job's processes may find mpirun.

    Only a run shows what is in a PATH of the job's own, and what a preparation installs.
    """
    variables = properties.get("environmentVariables") or ()
    if "jobPreparation" in properties or any(entry["name"] == "PATH" for entry in variables):
        return True
    # Processes look beside their interpreter first.
    beside = Path(python or sys.executable).with_name(MPIRUN)
    return bool(shutil.which(str(beside)) or shutil.which(MPIRUN))


def _check_words(
    resource: Resource, properties: Wire, toolkit: str, planned: Launch
) -> Iterator[Finding]:
    """Iterate over the settings that show a secret: every user can read command lines."""
    if all(task.bash for task in planned.tasks):
        # The shell expands variables inside its own process.
        return
    secrets = [secret["name"] for secret in properties.get("secrets") or ()]
    for key, value in properties[toolkit].items():
        if not isinstance(value, str):
            continue
        text = " ".join(words(properties[toolkit], key)) if key.endswith(ARGUMENTS[1:]) else value
        if name := named_secret(text, secrets):
            yield finding_at(resource, ("properties", toolkit, key), "BAI605", shown_secret(name))
