"""Properties of every compilation, over generated specs."""

import json
import re

from compiling import compile_spec, compile_specs, review
from generating import counts, specs
from hypothesis import given, settings
from hypothesis import strategies as st
from loading import load_text

from bai.compiler.compilation import Defaults, duplicates, merged
from bai.compiler.importer.importer import import_files
from bai.compiler.importer.names import ImportNames
from bai.compiler.passes.cap import cap
from bai.compiler.resources.bodies import body_from_wire
from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.toolkits import process_count
from bai.schemas.validators import validate
from bai.specs.findings import errors
from bai.specs.syntax.reader import read

CONTEXT = Defaults(resource_group="group", workspace="space", location="eastus")
SCHEMAS = {Kind.JOB: "job", Kind.CLUSTER: "cluster", Kind.FILE_SERVER: "fileServer"}
ORDER = (Kind.WORKSPACE, Kind.EXPERIMENT, Kind.FILE_SERVER, Kind.CLUSTER, Kind.JOB)


def compile_data(data):
    loaded = load_text(json.dumps(data, indent=1), "generated.json", "/project")
    assert loaded.findings == ()
    [spec] = loaded.specs
    return compile_spec(spec, CONTEXT)


def document(kind, name, spec):
    return {"apiVersion": "bai/v1", "kind": kind, "metadata": {"name": name}, "spec": spec}


def parted(data):
    """Return the spec with its clusters and file servers in documents of their own."""
    spec = dict(data["spec"])
    account = {key: spec[key] for key in ("storageAccount", "storageKey") if key in spec}
    machines, servers = spec.pop("clusters"), spec.pop("fileServers")
    return [
        data | {"spec": spec},
        *(document("Cluster", name, account | cluster) for name, cluster in machines.items()),
        *(document("FileServer", name, server) for name, server in servers.items()),
    ]


def without_place(finding):
    """Return what a finding says, but not where in another document it leads."""
    return finding.code, re.sub(r"generated\.json:\d+:\d+", "generated.json", finding.message)


def is_by_chance(finding):
    """A job may be larger than its cluster, and any text no command or script; no more is wrong."""
    return finding.code in {"BAI325", "BAI514", "BAI704", "BAI708", "BAI801"}


@settings(deadline=None, max_examples=60)
@given(specs())
def test_valid_specs_compile_to_what_the_service_takes(data):
    compilation = compile_data(data)
    assert [f for f in errors(compilation.findings) if not is_by_chance(f)] == []
    for resource in compilation.resources:
        wire = resource.to_wire()
        assert body_from_wire(resource.id.kind, wire) == resource.body
        assert ResourceId.parse(str(resource.id)) == resource.id
        assert "${mounts." not in json.dumps(wire)
        if schema := SCHEMAS.get(resource.id.kind):
            assert validate(schema, wire) == ()
    order = [ORDER.index(resource.id.kind) for resource in compilation.resources]
    assert order == sorted(order)


@settings(deadline=None, max_examples=40)
@given(specs(), st.data())
def test_machines_in_documents_of_their_own_compile_to_the_same(data, choice):
    documents = choice.draw(st.permutations(parted(data)))
    texts = [json.dumps(each, indent=1) for each in documents]
    loaded = [load_text(text, "generated.json", "/project") for text in texts]
    assert [each.findings for each in loaded] == [()] * len(documents)
    compilations = compile_specs([spec for each in loaded for spec in each.specs], CONTEXT)
    whole = compile_data(data)
    assert {each.id: each.wire for each in merged(compilations)} == {
        each.id: each.wire for each in whole.resources
    }
    assert list(duplicates(each for one in compilations for each in one.resources)) == []
    found = [finding for each in compilations for finding in each.findings]
    assert sorted(map(without_place, found)) == sorted(map(without_place, whole.findings))


@settings(deadline=None, max_examples=30)
@given(specs())
def test_compilation_is_deterministic(data):
    first, second = compile_data(data), compile_data(data)
    assert first == second
    assert [dict(r.spans) for r in first.resources] == [dict(r.spans) for r in second.resources]


@settings(deadline=None, max_examples=30)
@given(specs())
def test_every_value_knows_where_it_came_from(data):
    for resource in compile_data(data).resources:
        for path, span in resource.spans.items():
            here = resource.to_wire()
            for step in path:
                here = here[step]
            assert 1 <= span.line <= span.end_line


@settings(deadline=None, max_examples=40)
@given(specs(), counts, counts)
def test_a_cap_holds_and_holds_still(data, nodes, ranks):
    before = compile_data(data)
    after = cap(before, nodes, ranks)
    for cluster in after.of_kind(Kind.CLUSTER):
        assert cluster.body.properties.scale_settings.most_nodes <= nodes
    for job in after.of_kind(Kind.JOB):
        properties = job.body.properties
        assert properties.node_count <= nodes
        if hasattr(properties.toolkit, "process_count"):
            assert process_count(properties.toolkit, properties.node_count) <= ranks
    assert (after == before) == (after.notes == ())
    assert cap(after, nodes, ranks) == after


@settings(deadline=None, max_examples=40)
@given(specs())
def test_what_was_compiled_comes_back_from_its_files(data):
    compilation = compile_data(data)
    files = [each for each in compilation.resources if each.id.kind in SCHEMAS]
    names = [f"{each.id.name}.{each.id.kind.singular}.json" for each in files]
    result = import_files(
        [
            read(json.dumps(each.to_wire()), name)[0][0]
            for each, name in zip(files, names, strict=True)
        ],
        ImportNames(),
        review,
    )
    loaded = load_text(result.text, "imported.yaml", "/project")
    assert loaded.findings == ()
    again = compile_spec(loaded.specs[0], CONTEXT)
    assert [f for f in errors(again.findings) if not is_by_chance(f)] == []
    before, after = (
        [each.to_wire() for each in compiled.of_kind(Kind.JOB)] for compiled in (compilation, again)
    )
    assert sorted(after, key=json.dumps) == sorted(before, key=json.dumps)
    # All members are folded: none has its variables as a spec's own.
    assert "BAI_SWEEP" not in result.text
