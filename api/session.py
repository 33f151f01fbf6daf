"""A context that is open for use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bai.arguments import expect, expect_one_of
from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import Resource
from bai.compiler.resources.short_names import ShortNames
from bai.handle import JobHandle, shortest_name
from bai.runtime.context import Context, select
from bai.runtime.errors import NotFoundError
from bai.runtime.jobs.records import LiveNode, LiveResource
from bai.runtime.open import open_provider
from bai.runtime.plan.newer_files import NewerFiles
from bai.runtime.provider.base import scaled
from bai.runtime.provider.operations import Operation, OperationKind
from bai.runtime.scheduling.records import Deallocation
from bai.runtime.storage.storage import Storage
from bai.specs.errors import ConflictError
from bai.specs.names import suggestion
from bai.specs.words_of_batch_ai import spec_word, wire_word
from bai.sweeps import SweepHandle

DEALLOCATIONS = tuple(spec_word(each.value) for each in Deallocation)
"""What may happen to jobs on nodes that go."""
END_SECONDS = 30.0
"""How long `delete` waits for cancelled jobs to end."""


class Session:
    """What lives in a context, and the jobs that run there."""

    def __init__(self, context: Context) -> None:
        """Open the context's state; `bai.connect` opens one by its name."""
        expect(context, Context, "context must be a Context", "bai.connect(NAME) opens one by name")
        self.context = context
        self.provider = open_provider(context)

    @property
    def storage(self) -> Storage:
        """The storage accounts."""
        return replace(storage_of(self.context), users=self._users_of)

    def _users_of(self, folder: Path) -> dict[str, str]:
        """Return the jobs that have not ended and use a folder of storage: name -> state."""
        users = self.provider.users_of(folder)
        return {self.reference(id): str(attempt.state) for id, attempt in users.items()}

    def newer_files(self) -> NewerFiles:
        """Return what looks for files that have changed since jobs ran."""
        return NewerFiles((self.context.state, self.storage.root), self.provider.files)

    def code_size(self, job: LiveResource) -> str | None:
        """Return how much the code of a job is: `12 files, 34 kB`; None if that is not known."""
        from bai.runtime.accounts import Accounts
        from bai.runtime.code.snapshots import size_of

        return size_of(job.wire, Accounts(self.context.storage))

    def resources(self, kind: Kind | str) -> Sequence[LiveResource]:
        """Return all resources of a kind, oldest first.

        Raises:
            ValueError: there is no such kind.
        """
        return self.provider.of_kind(_kind(kind))

    def iterate(self, kind: Kind | str) -> Iterator[LiveResource]:
        """Iterate over all resources of a kind, oldest first, which are read as they are needed.

        Raises:
            ValueError: there is no such kind.
        """
        wanted, after = _kind(kind), None
        while True:
            page = self.provider.page(wanted, after=after)
            yield from page.resources
            if (after := page.next) is None:
                return

    def recent(self, kind: Kind | str, limit: int) -> Sequence[LiveResource]:
        """Return the newest resources of a kind and all jobs that run, oldest first.

        Args:
            kind: their kind.
            limit: how many to return at most, besides older jobs that run.

        Raises:
            ValueError: there is no such kind, or the limit is below 1.
        """
        expect(limit, int, "limit must be a number of resources, an int")
        if limit < 1:
            raise ValueError("limit must be 1 or more")
        return self.provider.recent(_kind(kind), limit)

    def count(self, kind: Kind | str) -> int:
        """Return how many resources of a kind there are.

        Raises:
            ValueError: there is no such kind.
        """
        return self.provider.count(_kind(kind))

    def find(self, kind: Kind | str, name: str) -> LiveResource:
        """Return a resource by its name.

        Args:
            kind: its kind, or the name of that: `job`, `clusters`.
            name: NAME, with what it is in before it where that is not clear, as for a job in
                EXPERIMENT/NAME or WORKSPACE/EXPERIMENT/NAME; also with the kind: job/NAME.

        Raises:
            NotFoundError: there is none, or there are several of that name.
            ValueError: there is no such kind.
        """
        kind = _kind(kind)
        expect(name, str, f"a {kind.singular}'s name must be a str")
        found = self._named(kind, name)
        first, _, rest = name.partition("/")
        if not found and first.lower() in (kind.lower(), kind.singular.lower()):
            found = self._named(kind, rest)
        if len(found) == 1:
            return found[0]
        if found:
            places = ", ".join(self.reference(live.id) for live in found)
            raise NotFoundError(f"there are several {kind} {name!r}: say which of {places}")
        sweeps = self.provider.sweeps() if kind is Kind.JOB else ()
        if any(each.id.is_called(name) for each in sweeps):
            way = f"`bai describe sweep {name}` lists them"
            raise NotFoundError(f"{name} is a sweep, and no job: name one of its jobs; {way}")
        steps = name.split("/")
        # With as much of the place before the name as was given.
        names = sorted({"/".join(id.address[-len(steps) :]) for id in self.provider.ids(kind)})
        state = self.context.state
        hint = suggestion(name, names) if names else f"there are no {kind} at all"
        raise NotFoundError(f"there is no {kind.singular} {name!r} in {state} ({hint})")

    def scale(
        self, cluster: str, nodes: int, deallocation: str = "requeue", *, wait: bool = True
    ) -> None:
        """Give a cluster a fixed number of nodes.

        Args:
            cluster: its name.
            nodes: how many it is to have.
            deallocation: what happens to jobs on nodes that go: `requeue` queues them again,
                `terminate` ends them, `waitForJobCompletion` lets them end by themselves.
            wait: whether to wait until the nodes that go are gone and new ones are prepared.

        Raises:
            NotFoundError: there is no such cluster.
            ValueError: there is no such deallocation, or fewer than no nodes.
            ConflictError: its nodes are the engine's own, and can't be changed from here.
            FindingsError: there is no room for so many nodes.
        """
        wanted = self.scaled(cluster, nodes, deallocation)
        self.provider.resize(wanted.id, wanted.to_wire()["properties"]["scaleSettings"])
        if wait:
            self.await_nodes(cluster)

    def scaled(self, cluster: str, nodes: int, deallocation: str = "requeue") -> Resource:
        """Return a cluster as `scale` makes it, of which the provider knows the consequences.

        The arguments and errors are those of `scale`, as far as they are about these.
        """
        expect(nodes, int, "nodes must be a number of nodes, an int")
        if nodes < 0:
            raise ValueError("nodes must be 0 or more")
        expect_one_of(deallocation, DEALLOCATIONS, "deallocation")
        live = self.find(Kind.CLUSTER, cluster)
        manual = {"targetNodeCount": nodes, "nodeDeallocationOption": wire_word(deallocation)}
        return scaled(live.id, live.wire, {"manual": manual})

    def await_nodes(self, cluster: str) -> None:
        """Wait until the nodes of a cluster that go are gone, and new ones are prepared.

        Raises:
            NotFoundError: there is no such cluster.
        """
        operation = Operation(OperationKind.RESIZE, self.find(Kind.CLUSTER, cluster).id)
        while not self.provider.complete(operation, END_SECONDS):
            pass

    def nodes(self, cluster: str) -> Sequence[LiveNode]:
        """Return the nodes of a cluster, by number.

        Raises:
            NotFoundError: there is no such cluster.
        """
        return self.provider.nodes(self.find(Kind.CLUSTER, cluster).id)

    def delete(self, id: ResourceId) -> None:
        """Delete a resource with all below it; its running jobs are cancelled and awaited.

        Raises:
            NotFoundError: there is none.
            ConflictError: a job from elsewhere uses it, so that nothing was done; or a job does not
                end in time, and the resource goes when it has.
        """
        if not self.provider.complete(self.provider.delete(id), END_SECONDS):
            raise ConflictError(
                f"{self.label(id)} is deleted as soon as its jobs have ended, which takes long"
            )

    def reference(self, id: ResourceId) -> str:
        """Return the shortest name that `find` takes for this resource alone."""
        return shortest_name(id, self.provider)

    def label(self, id: ResourceId) -> str:
        """Return a resource's kind and `reference`: `job/train`, `job/digits/train`."""
        return f"{id.kind.singular}/{self.reference(id)}"

    def labels(self, kind: Kind | str) -> Iterator[str]:
        """Iterate over the `label` of each resource of a kind, oldest first.

        Raises:
            ValueError: there is no such kind.
        """
        ids = self.provider.ids(_kind(kind))
        yield from map(ShortNames(ids).label, ids)

    def _named(self, kind: Kind, name: str) -> list[LiveResource]:
        alike = self.provider.of_kind(kind, name=name.split("/")[-1])
        return [live for live in alike if live.id.is_called(name)]

    def job(self, name: str, attempt: int | None = None) -> JobHandle:
        """Return a job by NAME or EXPERIMENT/NAME, its newest attempt or that of a number.

        Raises:
            NotFoundError: there is no such job or attempt.
        """
        return self.handle(self.find(Kind.JOB, name).id, attempt)

    def handle(self, id: ResourceId, attempt: int | None = None) -> JobHandle:
        """Return a job by its id.

        Raises:
            NotFoundError: there is no such job any more, or no such attempt.
        """
        expect(id, ResourceId, "id must be a ResourceId", "Session.job finds a job by its name")
        if attempt is not None:
            expect(attempt, int, "attempt must be the number of one, an int, or None")
        attempts = self.provider.attempts(id)
        if not attempts:
            raise NotFoundError(f"{self.label(id)} was deleted")
        chosen = [each for each in attempts if attempt in (None, each.number)]
        if not chosen:
            known = ", ".join(str(each.number) for each in attempts)
            job = self.reference(id)
            raise NotFoundError(f"the job {job} has no attempt {attempt} (valid here: {known})")
        return JobHandle(self.provider, id, chosen[-1])

    def sweeps(self) -> list[SweepHandle]:
        """Return all sweeps, by their experiments and names."""
        return [SweepHandle(self.provider, each) for each in self.provider.sweeps()]

    def sweep(self, name: str) -> SweepHandle:
        """Return a sweep by NAME or EXPERIMENT/NAME.

        Raises:
            NotFoundError: there is none, or there are several of that name.
        """
        expect(name, str, "a sweep's name must be a str")
        every = self.provider.sweeps()
        found = [each for each in every if each.id.is_called(name)]
        if len(found) == 1:
            return SweepHandle(self.provider, found[0])
        if found:
            places = ", ".join(f"{each.id.experiment.name}/{each.id.name}" for each in found)
            raise NotFoundError(f"there are several sweeps {name!r}: say which of {places}")
        names = sorted({each.id.name for each in every})
        hint = suggestion(name, names) if names else "there are no sweeps at all"
        raise NotFoundError(f"there is no sweep {name!r} in {self.context.state} ({hint})")

    def __repr__(self) -> str:
        return f"<Session {self.context.name}: {self.context.state}>"


def connect(context: str | None = None) -> Session:
    """Open a context by name, or the current one of the working directory.

    Raises:
        ContextError: there is no such context.
        StateError: its state folder can't be used.
    """
    return Session(select(context, Path.cwd()))


def job(name: str, attempt: int | None = None, context: str | None = None) -> JobHandle:
    """Return a job of a context, as `Session.job` does.

    Raises:
        ContextError: there is no such context.
        NotFoundError: there is no such job or attempt.
        StateError: the context's state folder can't be used.
    """
    return connect(context).job(name, attempt)


def _kind(kind: Kind | str) -> Kind:
    if isinstance(kind, Kind):
        return kind
    expect(kind, str, "kind must be the name of a kind: 'job', 'cluster' and so on")
    return Kind.named(kind)


def storage_of(context: Context) -> Storage:
    """Return the storage accounts of a context, without opening its state."""
    return Storage(context.storage, context.accounts)
