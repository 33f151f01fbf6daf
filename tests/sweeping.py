"""Members of sweeps in a state folder, run by an engine that starts no process."""

import os

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.sweep import SweepId
from bai.runtime.engines.base import Condition, Features, Report
from bai.runtime.engines.local.engine import LocalEngine
from bai.runtime.engines.local.settings import EngineSettings
from bai.runtime.jobs.journal import FileJournal, claim
from bai.runtime.jobs.records import End, ExecutionState, failed
from bai.runtime.jobs.submitted import Submitted
from bai.runtime.provider.attempt_rows import Demand
from bai.runtime.provider.embedded import EmbeddedProvider
from bai.runtime.provider.store import Store

WORKSPACE = ResourceId("s", "g", "w", Kind.WORKSPACE, "w")
CLUSTER = WORKSPACE.sibling(Kind.CLUSTER, "c")
EXPERIMENT = WORKSPACE.sibling(Kind.EXPERIMENT, "e")
SWEEP = SweepId(EXPERIMENT, "train")
SUCCEEDED, FAILED = End(ExecutionState.SUCCEEDED, 0), failed("JobFailed", "it failed", 1)


class SweepEngine(LocalEngine):
    """Starts no process; each run that was launched is alive, or waits in the engine's queue."""

    def __init__(self, folder, *, has_queue):
        super().__init__(folder, EngineSettings(slots=8))
        self.features = Features(slots=None if has_queue else 8, has_queue=has_queue)
        self.launched, self.stopped, self.begun = [], [], set()

    def launch(self, submission):
        submission.spec.write()
        self.launched.append(submission.spec)

    def stop(self, attempt):
        super().stop(attempt)
        self.stopped.append(attempt.uuid)

    def observe(self, attempts):
        uuids = {each.uuid for each in attempts}
        waiting = uuids - self.begun if self.features.has_queue else set()
        conditions = dict.fromkeys(uuids, Condition.ALIVE) | dict.fromkeys(
            waiting, Condition.WAITING
        )
        return {uuid: Report(condition) for uuid, condition in conditions.items()}


class Place:
    """A state folder with a cluster of four nodes."""

    def __init__(self, folder, *, has_queue=False):
        self.folder = folder
        self.store = Store(folder)
        self.engine = SweepEngine(folder, has_queue=has_queue)
        self.provider = EmbeddedProvider(self.store, self.engine)
        self.store.put(WORKSPACE, {})
        self.store.put(EXPERIMENT, {})
        scale = {"manual": {"targetNodeCount": 4}}
        wire = {"properties": {"scaleSettings": scale}}
        self.store.put(CLUSTER, wire, **({"new_nodes": None} if has_queue else {}))
        self.journals = {}

    def put(self, *names, sweep=SWEEP, nodes=1):
        """Put members of a sweep, as a command does that is killed before its keeper step."""
        uuids = []
        for name in names:
            demand = Demand(CLUSTER, nodes, nodes, sweep=sweep)
            self.engine.accept(demand.uuid, Submitted({}, {}))
            wire = {"properties": {"nodeCount": nodes, "cluster": {"id": str(CLUSTER)}}}
            self.store.put(WORKSPACE.sibling(Kind.JOB, name, "e"), wire, demand)
            uuids.append(demand.uuid)
        return uuids

    def end(self, uuid, end=SUCCEEDED):
        """Report the end of the newest run of an attempt, as its supervisor would."""
        folder, run = self.folder / "jobs" / uuid, self.store.attempts.get(uuid).run
        assert claim(folder, run)
        self.engine.begun.add(uuid)
        journal = FileJournal(folder, run)
        journal.claimed(str(os.getpid()), [0])
        journal.end(end)
        journal.close()

    def outcomes(self, uuids):
        self.provider.keep()
        return [self.store.attempts.get(uuid).outcome for uuid in uuids]

    def waits(self, uuids):
        found = [str(self.provider.waiting(uuid) or "") for uuid in uuids]
        assert found == [str(self.provider.waits().get(uuid) or "") for uuid in uuids]
        return found

    def said(self, uuid):
        return [event.message for event in self.provider.events(uuid)]
