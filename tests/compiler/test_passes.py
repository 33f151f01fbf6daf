"""Single passes and the parts they are made of."""

import json
import shlex

import pytest

from bai.compiler.compilation import Defaults
from bai.compiler.passes.accounts import choose_account, host_account
from bai.compiler.passes.machines import lower_image, lower_scale
from bai.compiler.passes.metadata import resolve_names
from bai.compiler.passes.references import References
from bai.compiler.passes.scope import Scope
from bai.compiler.passes.siblings import resolve_sibling
from bai.compiler.passes.toolkits import lower_toolkit
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.binds import bind_command, bound_directory
from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER, Kind
from bai.specs.document import value_at
from bai.specs.findings import Severity, Span
from bai.specs.models.machines import Image, Scale
from bai.specs.source.places import narrow

JOB = """\
jobs:
  train:
    cluster: pair
    nodeCount: 1
    logs: ${mounts.logs}/x ${mounts.logs}
    custom: {command: ls}
"""
LOGS = ("spec", "jobs", "train", "logs")
CONTEXT = Defaults(resource_group="group", workspace="space", location="eastus")


@pytest.fixture
def scope(load_spec):
    return Scope(load_spec(JOB), CONTEXT)


class TestNames:
    def test_the_spec_counts_more_than_the_context(self, load_spec):
        spec = load_spec("jobs: {}")
        metadata = spec.model.metadata.model_copy(update={"workspace": "own", "location": "west"})
        model = spec.model.model_copy(update={"metadata": metadata})
        own = type(spec)(model, spec.document, spec.directory)
        names = resolve_names(Scope(own, CONTEXT)).names
        assert (names.workspace, names.resource_group, names.location) == ("own", "group", "west")
        assert names.location_written

    def test_a_name_that_is_not_set_is_an_error_that_names_it(self, load_spec):
        scope = Scope(load_spec("jobs: {}"), Defaults(workspace="space", location="eastus"))
        resolve_names(scope)
        [finding] = scope.findings
        assert finding.code == "BAI204"
        assert "resourceGroup" in finding.message
        assert "metadata.resourceGroup" in finding.hint
        assert "context" in finding.hint

    def test_only_jobs_belong_to_the_experiment(self, scope):
        names = resolve_names(scope).names
        assert names.id(Kind.JOB, "j").experiment == "experiment"
        assert names.id(Kind.CLUSTER, "c").experiment is None


class TestReferences:
    def test_the_job_level_wins(self, scope):
        references = References(scope, job_mounts={"logs"}, cluster_mounts={"logs", "data"})
        assert references.expand("${mounts.logs}", LOGS) == "$AZ_BATCHAI_JOB_MOUNT_ROOT/logs"
        assert references.expand("${mounts.data}", LOGS) == "$AZ_BATCHAI_MOUNT_ROOT/data"

    def test_inputs_and_outputs(self, scope):
        references = References(scope, inputs={"IN"}, outputs={"OUT"})
        expanded = references.expand("${inputs.IN} ${outputs.OUT}", LOGS)
        assert expanded == "$AZ_BATCHAI_INPUT_IN $AZ_BATCHAI_OUTPUT_OUT"

    @pytest.mark.parametrize("text", ["$HOME", "${HOME}", "${X:-${Y}}", "$$", "${a.b}", "${"])
    def test_what_belongs_to_others_stays(self, scope, text):
        assert References(scope).expand(text, LOGS) == text
        assert scope.findings == []

    def test_each_wrong_reference_is_found_at_its_own_column(self, scope):
        text = "${mounts.logs}/x ${mounts.logs}"
        assert References(scope).expand(text, LOGS) == text
        first, second = scope.findings
        assert (first.span.column, first.span.end_column) == (13, 27)
        assert (second.span.column, second.span.end_column) == (30, 44)

    def test_mounts_of_an_unknown_cluster_are_believed(self, scope):
        references = References(scope, job_mounts={"data"}, complete=False)
        assert references.expand("${mounts.nfs}", LOGS) == "$AZ_BATCHAI_MOUNT_ROOT/nfs"
        assert scope.findings == []

    def test_but_not_silently_where_they_look_like_a_misspelt_one(self, scope):
        references = References(scope, job_mounts={"log"}, complete=False)
        references.expand("${mounts.logs}", LOGS)
        [finding] = scope.findings
        assert finding.severity is Severity.WARNING
        assert "did you mean log?" in finding.hint


class TestAccounts:
    def test_the_order(self, load_spec):
        context = Defaults(storage_account="fromcontext")
        named = Scope(load_spec("storageAccount: fromspec"), context)
        unnamed = Scope(load_spec("jobs: {}"), context)
        nowhere = Scope(load_spec("jobs: {}"), Defaults())
        path = ("spec", "x")
        assert choose_account(named, "own", path).name == "own"
        assert choose_account(named, None, path).name == "fromspec"
        assert choose_account(named, None, path).source == ("spec", "storageAccount")
        assert choose_account(unnamed, None, path).name == "fromcontext"
        assert choose_account(unnamed, None, path).source is None
        assert choose_account(nowhere, None, path).name == STORAGE_ACCOUNT_PLACEHOLDER

    @pytest.mark.parametrize(
        ("url", "account"),
        [
            ("https://mine.file.core.windows.net/share", "mine"),
            (f"https://{STORAGE_ACCOUNT_PLACEHOLDER}.file.x.y/s", STORAGE_ACCOUNT_PLACEHOLDER),
            ("http://mine.file.core.windows.net/share", None),
            ("https://mine.file.core.windows.net", None),
            (None, None),
        ],
    )
    def test_account_of_an_address(self, url, account):
        assert host_account(url) == account


class TestProcesses:
    @pytest.mark.parametrize(
        ("toolkit", "expected"),
        [
            ({}, None),
            ({"processCount": 3}, (3, "processCount")),
            ({"processesPerNode": 3}, (12, "processesPerNode")),
        ],
    )
    def test_the_default_is_never_written_out(self, load_spec, toolkit, expected):
        horovod = json.dumps({"script": "x", **toolkit})
        text = JOB.replace("custom: {command: ls}", f"horovod: {horovod}")
        scope = Scope(load_spec(text.replace("nodeCount: 1", "nodeCount: 4")), CONTEXT)
        builder = WireBuilder(scope, ("spec",))
        at = ("spec", "jobs", "train")
        lower_toolkit(builder, scope.spec.jobs["train"], References(scope), None, at)
        target = ("properties", "horovodSettings", "processCount")
        found = value_at(builder.wire, target)
        assert found == (expected and expected[0])
        if expected:
            assert builder.spans[target] == scope.span((*at, "horovod", expected[1]))


class TestMachines:
    @pytest.mark.parametrize(
        ("alias", "publisher"), [("ubuntults", "Canonical"), ("UBUNTUDSVM", "microsoft-ads")]
    )
    def test_image_aliases_in_any_case(self, scope, alias, publisher):
        builder = WireBuilder(scope, ("spec",))
        lower_image(builder, Image(alias=alias), ("spec",))
        wire = builder.wire["properties"]["virtualMachineConfiguration"]["imageReference"]
        assert wire["publisher"] == publisher
        assert wire.keys() == {"publisher", "offer", "sku"}

    def test_no_nodes_is_a_number_of_nodes(self, scope):
        builder = WireBuilder(scope, ("spec",))
        lower_scale(builder, Scale(target=0), ("spec",))
        assert builder.wire["properties"]["scaleSettings"] == {"manual": {"targetNodeCount": 0}}


class TestSiblings:
    def test_ids_in_any_case_have_one_form(self, scope):
        written = (
            "/SUBSCRIPTIONS/1/resourcegroups/g/providers/microsoft.batchai/workspaces/w/CLUSTERS/c"
        )
        id = resolve_sibling(resolve_names(scope), Kind.CLUSTER, written, (), LOGS)
        assert str(id) == (
            "/subscriptions/1/resourceGroups/g/providers/Microsoft.BatchAI/workspaces/w/clusters/c"
        )

    def test_a_name_from_elsewhere_is_an_id_in_this_workspace(self, scope):
        scope = resolve_names(scope)
        id = resolve_sibling(scope, Kind.CLUSTER, "live", ("other",), LOGS)
        assert id == scope.names.id(Kind.CLUSTER, "live")
        assert scope.findings == []


@pytest.mark.parametrize("path", ["/data", "/it's mine", '/a "b" $c', "/"])
def test_local_directories_are_known_again(path):
    command = bind_command(path)
    assert shlex.split(command) == ["mount", "--bind", path]
    assert bound_directory(command) == path


@pytest.mark.parametrize(
    "command",
    ["mount --bind data", "mount --bind /a /b", "mount -t nfs /x", "mount --bind '/x", "", "x"],
)
def test_other_commands_are_no_local_directories(command):
    assert bound_directory(command) is None


class TestPlaces:
    TEXT = "a: one two\nb: |\n  two\r\n  xx two two\nc: two\n"

    @pytest.mark.parametrize(
        ("span", "before", "line", "column"),
        [
            ((1, 4, 1, 11), 0, 1, 8),
            ((2, 4, 5, 1), 0, 3, 3),
            ((2, 4, 5, 1), 1, 4, 6),
            ((2, 4, 5, 1), 2, 4, 10),
        ],
    )
    def test_the_right_occurrence(self, span, before, line, column):
        found = narrow(Span("f", *span), self.TEXT, "two", before)
        assert (found.line, found.column) == (line, column)
        assert (found.end_line, found.end_column) == (line, column + 3)

    def test_the_whole_value_where_the_part_is_not_spelled_out(self):
        span = Span("f", 1, 4, 1, 7)
        assert narrow(span, self.TEXT, "two") == span
        assert narrow(Span("f", 2, 4, 5, 1), self.TEXT, "two", 3) == Span("f", 2, 4, 5, 1)
        assert narrow(Span("f", 90, 1, 91, 1), self.TEXT, "two") == Span("f", 90, 1, 91, 1)


def test_a_draft_keeps_places_of_keys_and_values(scope):
    document = scope.document
    builder = WireBuilder(scope, ("spec", "jobs", "train"))
    place = builder.item(("things",), LOGS)
    builder.set_key((*place, "name"), LOGS)
    builder.set((*place, "value"), "v", LOGS)
    builder.set((*place, "nothing"), None, LOGS)
    builder.set((*place, "context"), "c", None)
    assert builder.wire == {"things": [{"name": "logs", "value": "v", "context": "c"}]}
    assert builder.spans[*place, "name"] == document.key_span(LOGS)
    assert builder.spans[*place, "value"] == document.span(LOGS)
    assert (*place, "context") not in builder.spans
