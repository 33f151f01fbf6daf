"""The engine as the registry knows it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bai.compiler.resources.ids import ResourceId
from bai.runtime.engines.base import Condition, EngineNode, Features, Report, Submission
from bai.runtime.engines.local.engine import LocalEngine
from bai.runtime.engines.local.settings import KEYS, EngineSettings, load_settings, read_settings
from bai.runtime.engines.registry import EngineType
from bai.runtime.errors import LaunchError
from bai.runtime.jobs.records import Attempt
from bai.runtime.scheduling.records import NodeState
from bai.runtime.storage_settings import StorageSettings
from bai.specs.words import counted
from batch_engine.queue import Queue, Submitted

NAME = "batch"
_PRIORITIES = {"low": 0, "normal": 1, "high": 2}


class BatchEngine(LocalEngine):
    """Keeps and runs attempts as the local engine does; a queue of its own starts them."""

    guardian = "batch_engine.guardian"

    def __init__(self, state: Path, settings: EngineSettings) -> None:
        super().__init__(state, settings)
        self.features = Features(has_queue=True)
        self.setup_tasks = None
        self._queue = Queue(state / "batch", settings.slots)

    def launch(self, submission: Submission) -> None:
        spec, properties = submission.spec, submission.spec.properties
        folder = Path(spec.folder)
        priority = _PRIORITIES[properties.get("schedulingPriority", "normal")]
        run = Submitted(
            spec.uuid,
            spec.run,
            properties["nodeCount"],
            priority,
            time.time(),
            spec.folder,
            submission.command,
        )
        try:
            folder.mkdir(parents=True, exist_ok=True)
            spec.write()
            self._queue.submit(run)
        except OSError as error:
            raise LaunchError(f"can't submit the job: {error.strerror}") from None

    def stop(self, attempt: Attempt) -> None:
        super().stop(attempt)
        self._queue.withdraw(attempt.uuid, attempt.run)

    def observe(self, attempts: Iterable[Attempt]) -> Mapping[str, Report]:
        waiting = {(run.uuid, run.run) for run in self._queue.waiting()}
        if waiting:
            # A dispatcher may have been killed.
            self._queue.ring()
        by_place: dict[bool, list[Attempt]] = {True: [], False: []}
        for attempt in attempts:
            by_place[(attempt.uuid, attempt.run) in waiting].append(attempt)
        found = {attempt.uuid: Report(Condition.WAITING) for attempt in by_place[True]}
        return {**found, **super().observe(by_place[False])}

    def waiting(self, attempts: Iterable[Attempt]) -> Mapping[str, str]:
        free, total = len(self._queue.free()), len(self._queue.nodes)
        wanted, found = {each.uuid for each in attempts}, {}
        for before, run in enumerate(self._queue.waiting()):
            if before:
                found[run.uuid] = f"its turn in the batch queue, after {counted(before, 'job')}"
            elif run.count > free:
                nodes = counted(run.count, "node")
                found[run.uuid] = f"{nodes} of the batch queue: {free} of {total} free"
        return {uuid: reason for uuid, reason in found.items() if uuid in wanted}

    def nodes(self, cluster: ResourceId) -> Sequence[EngineNode]:
        held = {node: run for run in self._queue.running() for node in run.nodes}
        return [
            EngineNode(
                node,
                NodeState.RUNNING,
                datetime.fromtimestamp(run.time, UTC),
                run.uuid,
            )
            if (run := held.get(node))
            else EngineNode(node, NodeState.IDLE)
            for node in self._queue.nodes
        ]


def _read(table: Any, context: str, storage: StorageSettings) -> Any:
    return replace(read_settings(table, context, storage), name=NAME)


BATCH = EngineType(KEYS, _read, BatchEngine, load_settings)
