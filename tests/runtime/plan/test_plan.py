"""Plans: empty where nothing differs, stale where something changed meanwhile."""

import copy
import json
import re
from pathlib import Path

import pytest
from compiling import compile_spec
from hypothesis import given
from hypothesis import strategies as st
from loading import load_file, load_text

from bai.compiler.compilation import Defaults
from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.engines.base import Features, Submission
from bai.runtime.jobs.records import End, ExecutionState, StopReason
from bai.runtime.jobs.run_spec import RunSpec
from bai.runtime.plan.diff import make_plan
from bai.runtime.plan.differences import Difference, compare
from bai.runtime.plan.execute import execute
from bai.runtime.plan.plan import Action
from bai.runtime.provider.embedded import EmbeddedProvider
from bai.runtime.provider.store import Store
from bai.specs.errors import ConflictError
from bai.specs.findings import FindingsError, errors

ROOT = Path(__file__).parents[3]
SPECS = sorted(
    [*(ROOT / "tests/compiler/golden").glob("*/spec.yaml"), *ROOT.glob("examples/*/*.yaml")]
)
DEFAULTS = Defaults(resource_group="group", workspace="workspace", location="eastus")

SPEC = """
apiVersion: bai/v1
kind: Experiment
metadata: {{name: e}}
spec:
  clusters:
    c: {{vmSize: S, scale: {scale}}}
  jobs:
    j:
      nodeCount: 1
      mounts: {{a: azureFile:a, b: azureFile:b}}
      logs: ${{mounts.a}}
      custom: {{command: {command}}}
"""


class RecordingEngine:
    """Launches nothing and remembers what it was asked to."""

    features = Features(slots=2)
    setup_tasks = None

    def __init__(self):
        self.numbers = {}
        self.launched = []
        self.stopped = []

    def check_cluster(self, resource):
        return ()

    def check_job(self, resource, cluster):
        return ()

    def consequences(self, resource):
        return ()

    def accept(self, uuid, submitted):
        pass

    def discard(self, uuid):
        pass

    def prepare(self, attempt, job, cluster):
        self.numbers[attempt.uuid] = attempt.number
        spec = RunSpec(
            attempt.uuid, attempt.job, attempt.run, attempt.nodes, job, cluster, "", "", ""
        )
        return Submission(spec, ())

    def launch(self, submission):
        spec = submission.spec
        self.launched.append((spec.job.name, self.numbers[spec.uuid]))

    def stop(self, attempt):
        self.stopped.append((attempt.job.name, attempt.stop))

    def journal(self, attempt):
        return (), 0

    def observe(self, attempts):
        return {}

    def remove(self, uuid):
        pass


@pytest.fixture
def engine():
    return RecordingEngine()


@pytest.fixture
def store(tmp_path):
    found = Store(tmp_path / "state")
    yield found
    found.close()


@pytest.fixture
def provider(store, engine):
    return EmbeddedProvider(store, engine)


def compiled(text=None, **values):
    text = text or SPEC.format(**({"scale": 1, "command": "true"} | values))
    loaded = load_text(text, "spec.yaml", "/nowhere")
    assert loaded.findings == ()
    return [compile_spec(spec, DEFAULTS) for spec in loaded.specs]


def apply(compilations, provider, **options):
    plan = make_plan(compilations, provider, rerun=options.get("rerun", False))
    return list(execute(plan, provider, replace_jobs=options.get("rerun", False)))


def right_ones():
    """Every spec of the tests and examples that compiles without errors."""
    for path in SPECS:
        compilations = [compile_spec(spec, DEFAULTS) for spec in load_file(path).specs]
        if compilations and not any(errors(each.findings) for each in compilations):
            yield pytest.param(compilations, id=path.parent.name)


@pytest.mark.parametrize("compilations", list(right_ones()))
def test_apply_then_diff_is_empty(compilations, store, provider, monkeypatch):
    # What a run needs beside the spec: its secrets, and machines that live already.
    monkeypatch.setattr("bai.runtime.plan.preconditions.missing", lambda references: {})
    monkeypatch.setattr("bai.runtime.provider.embedded.submitted_by", lambda *_: None)
    for needed in _machines(compilations):
        if not any(each.get(needed) for each in compilations):
            _provide(store, needed)
    plan = make_plan(compilations, provider)
    list(execute(plan, provider, replace_jobs=False))
    again = make_plan(compilations, provider)
    assert again.pending == ()
    assert {change.action for change in again.changes} == {Action.NONE}


def _machines(compilations):
    """Return the ids of all clusters and file servers that specs name."""
    text = json.dumps([each.to_wire() for one in compilations for each in one.resources])
    ids = re.findall(r'"(/[^"]*/(?:clusters|fileservers)/[^"/]*)"', text, re.IGNORECASE)
    return [ResourceId.parse(id) for id in dict.fromkeys(ids)]


def _provide(store, id):
    """Make a cluster or a file server live that a spec names and does not declare."""
    if store.get(id.parent) is None:
        store.put(id.parent, {"location": "eastus"})
    properties = {
        Kind.CLUSTER: {"scaleSettings": {"manual": {"targetNodeCount": 9}}},
        Kind.FILE_SERVER: {
            "sshConfiguration": {"userAccountSettings": {"adminUserName": "lab"}},
            "dataDisks": {
                "diskSizeInGB": 1,
                "diskCount": 1,
                "storageAccountType": "Standard_LRS",
            },
        },
    }[id.kind]
    store.put(id, {"properties": {"vmSize": "S", **properties}})


json_values = st.recursive(
    st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "secrets", "name"]), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(json_values)
def test_a_thing_does_not_differ_from_itself(value):
    assert list(compare(value, copy.deepcopy(value))) == []


@given(json_values, json_values)
def test_different_things_differ(left, right):
    same = left == right and repr(left) == repr(right)
    assert (list(compare(left, right)) == []) <= (left == right)
    assert same <= (list(compare(left, right)) == [])


def test_an_entry_added_in_the_middle_is_one_difference():
    before = [{"name": "A", "value": "1"}, {"name": "C", "value": "3"}]
    after = [before[0], {"name": "B", "value": "2"}, before[1]]
    found = list(compare({"environmentVariables": before}, {"environmentVariables": after}))
    assert found == [Difference(("environmentVariables", "B"), None, after[1])]


def test_a_default_that_is_written_is_no_difference():
    short, long = (
        {"targetNodeCount": 2},
        {"targetNodeCount": 2, "nodeDeallocationOption": "requeue"},
    )

    def wire(manual):
        return {"properties": {"scaleSettings": {"manual": manual}}}

    assert list(compare(wire(short), wire(long))) == list(compare(wire(long), wire(short))) == []
    [found] = compare(wire(short), wire(long | {"nodeDeallocationOption": "terminate"}))
    assert (found.before, found.after) == (None, "terminate")


def test_a_job_starts_once(provider, engine):
    assert [step.word for step in apply(compiled(), provider)] == ["created"] * 4
    assert [step.word for step in apply(compiled(), provider)] == ["unchanged"] * 4
    assert engine.launched == [("j", 1)]


def test_a_changed_job_waits_for_consent_and_for_its_end(provider, store, engine):
    apply(compiled(), provider)
    changed = compiled(command="false")
    with pytest.raises(ConflictError, match="jobs are immutable"):
        apply(changed, provider)
    with pytest.raises(ConflictError, match="the job j is running"):
        apply(changed, provider, rerun=True)
    (job,) = provider.of_kind(Kind.JOB)
    store.attempts.finish(job.attempt.uuid, 1, End(ExecutionState.SUCCEEDED, 0))
    apply(changed, provider, rerun=True)
    assert engine.launched == [("j", 1), ("j", 2)]
    assert [attempt.number for attempt in provider.attempts(job.id)] == [1, 2]


def test_two_plans_that_are_executed_at_once_start_a_job_once(provider, store, engine):
    first, second = make_plan(compiled(), provider), make_plan(compiled(), provider)
    list(execute(first, provider, replace_jobs=False))
    (job,) = provider.of_kind(Kind.JOB)
    store.attempts.finish(job.attempt.uuid, 1, End(ExecutionState.SUCCEEDED, 0))
    steps = list(execute(second, provider, replace_jobs=False))
    assert {step.word for step in steps} == {"unchanged"}
    assert engine.launched == [("j", 1)]


def test_a_job_that_another_command_runs_again_is_not_run_twice(provider, store, engine):
    def end():
        (job,) = provider.of_kind(Kind.JOB)
        store.attempts.finish(job.attempt.uuid, 1, End(ExecutionState.SUCCEEDED, 0))

    apply(compiled(), provider)
    end()
    first, second = (make_plan(compiled(), provider, rerun=True) for _ in range(2))
    list(execute(first, provider, replace_jobs=True))
    end()
    with pytest.raises(ConflictError, match="job/j changed since the plan was made"):
        list(execute(second, provider, replace_jobs=True))
    assert engine.launched == [("j", 1), ("j", 2)]


def test_nothing_is_done_when_a_part_can_t_be(provider, store):
    apply(compiled(), provider)
    with pytest.raises(ConflictError):
        apply(compiled(scale=2, command="false"), provider)
    (cluster,) = provider.of_kind(Kind.CLUSTER)
    assert cluster.body.properties.scale_settings.most_nodes == 1


def test_a_plan_that_is_out_of_date_is_refused(provider):
    plan = make_plan(compiled(scale=2), provider)
    apply(compiled(), provider)
    with pytest.raises(ConflictError, match="changed since the plan was made"):
        list(execute(plan, provider, replace_jobs=False))


def test_a_cluster_that_lives_with_another_size_is_refused(provider):
    apply(compiled(), provider)
    other = compiled(SPEC.replace("vmSize: S", "vmSize: T").format(scale=1, command="true"))
    plan = make_plan(other, provider)
    (finding,) = plan.findings
    assert finding.code == "BAI406"
    assert (finding.span.line, finding.span.column) == (7, 17)
    with pytest.raises(FindingsError):
        execute(plan, provider, replace_jobs=False)


def test_what_a_smaller_cluster_does_to_its_jobs_is_in_the_plan(provider, engine):
    apply(compiled(scale=2), provider)
    plan = make_plan(compiled(scale=0), provider)
    words = "runs on nodes of cluster c that go: it is ended and queued again"
    assert plan.notes[-1:] == (f"the job e/j {words}",)
    assert make_plan(compiled(scale=1), provider).notes == ()
    apply(compiled(scale=0), provider)
    assert engine.stopped == [("j", StopReason.REQUEUE)]
