"""Properties of every compilation, over generated specs."""

import json
import re
from itertools import product

from compiling import compile_spec, compile_specs, review
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
from bai.specs.toolkits import TOOLKITS

CONTEXT = Defaults(resource_group="group", workspace="space", location="eastus")
SCHEMAS = {Kind.JOB: "job", Kind.CLUSTER: "cluster", Kind.FILE_SERVER: "fileServer"}
ORDER = (Kind.WORKSPACE, Kind.EXPERIMENT, Kind.FILE_SERVER, Kind.CLUSTER, Kind.JOB)
ID = "/subscriptions/1/resourceGroups/g/providers"

names = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,11}", fullmatch=True)
variables = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: not name.startswith("AZ_BATCH") and name.lower() != "stdouterr"
)
# `$` is left to the references that the strategies put in on purpose.
texts = st.text(st.characters(exclude_categories=["C"], exclude_characters="$"), min_size=1)
accounts = st.from_regex(r"[a-z0-9]{3,24}", fullmatch=True)
counts = st.integers(1, 64)
images = st.from_regex(r"[a-z0-9]{1,9}(/[a-z0-9]{1,9})?(:[A-Za-z0-9.]{1,9})?", fullmatch=True)
shm_sizes = st.sampled_from(["8g", "64m", "1024b"])
# Not those that have no premium disks, or that no cluster has.
sizes = names.map("SIZE-{}".format)
secrets = st.one_of(
    st.builds("env:{}".format, variables),
    st.builds("file:keys/{}".format, variables),
    st.builds(lambda name: {"env": name}, variables),
)
vault = st.builds(
    lambda name: {
        "keyVault": {
            "vault": f"{ID}/Microsoft.KeyVault/vaults/{name}",
            "url": f"https://{name}.vault.azure.net/secrets/s/1",
        }
    },
    names,
)


def filled(required, **optional):
    """Return a strategy for mappings: the required keys, and any of the optional ones."""
    return st.fixed_dictionaries(required, optional=optional)


mounts = st.one_of(
    filled(
        {"share": names},
        account=accounts,
        key=secrets | vault,
        fileMode=st.sampled_from(["0777", "755"]),
    ).map(lambda share: {"azureFile": share}),
    filled({"container": names}, account=accounts, key=secrets | vault, options=texts).map(
        lambda blob: {"azureBlob": blob}
    ),
    filled({"name": names}, source=texts, options=texts).map(lambda v: {"fileServer": v}),
    texts.map(lambda text: {"unmanaged": {"command": f"echo {text}; mount x"}}),
    texts.map(lambda path: {"file": {"path": path}}),
    names.map("azureFile:{}".format),
    names.map("file:{}".format),
)
# One level deep, so that no path hides another.
# Jobs may get mounts of these names from the compiler.
volumes = st.dictionaries(
    names.filter(lambda name: name not in ("code", "logs")), mounts, min_size=1, max_size=4
)
users = st.one_of(
    filled({"name": names, "password": secrets}, sshKey=texts),
    filled({"name": names, "sshKey": texts}),
)
scales = st.one_of(
    counts,
    filled({"target": counts}, onDeallocation=st.sampled_from(["requeue", "terminate"])),
    counts.flatmap(lambda low: filled({"min": st.just(low), "max": st.integers(low, 90)})),
)
clusters = filled(
    {"vmSize": sizes, "scale": scales, "mounts": volumes},
    vmPriority=st.sampled_from(["dedicated", "lowPriority"]),
    image=st.sampled_from(["UbuntuLTS", "ubuntudsvm", "a:b:c", "a:b:c:d"]),
    user=users,
    subnet=names.map((ID + "/Microsoft.Network/virtualNetworks/n/subnets/{}").format),
    setupTask=filled(
        {"command": texts, "logs": texts},
        environment=st.dictionaries(variables, texts, max_size=2),
        secrets=st.dictionaries(variables.map("S_{}".format), secrets | vault, max_size=2),
    ),
    performanceCounters=filled(
        {
            "component": names.map((ID + "/Microsoft.Insights/components/{}").format),
            "instrumentationKey": secrets | vault,
        }
    ),
)
file_servers = filled(
    {
        "vmSize": sizes,
        "disks": filled(
            {
                "count": counts,
                "size": counts.map("{}g".format),
                "type": st.sampled_from(["premium"]),
            },
            caching=st.sampled_from(["none", "readOnly"]),
        ),
        "user": users,
    },
    allowIps=st.lists(texts, max_size=3),
)
processes = st.one_of(
    st.just({}),
    counts.map(lambda count: {"processCount": count}),
    counts.map(lambda count: {"processesPerNode": count}),
)
scripts = filled({"script": texts}, args=texts, python=texts)
configs = filled({"config": texts}, args=texts)


def counted(toolkit):
    return st.builds(lambda settings, more: settings | more, toolkit, processes)


toolkits = st.one_of(
    counted(scripts).map(lambda t: {"horovod": t}),
    counted(scripts).map(lambda t: {"pyTorch": t | {"backend": "gloo"}}),
    counted(scripts).map(lambda t: {"chainer": t}),
    counted(configs | scripts).map(lambda t: {"caffe": t}),
    counted(configs | scripts).map(lambda t: {"cntk": t}),
    counted(filled({"command": texts})).map(lambda t: {"customMpi": t}),
    filled({"command": texts}).map(lambda t: {"custom": t}),
    scripts.map(lambda t: {"caffe2": t}),
    filled(
        {"script": texts, "workerArgs": texts, "parameterServerArgs": texts}, workerCount=counts
    ).map(lambda t: {"tensorFlow": t}),
)


@st.composite
def jobs(draw, cluster, cluster_mounts):
    own = draw(volumes)
    inputs = draw(st.dictionaries(variables, texts, max_size=2))
    outputs = draw(st.dictionaries(variables, st.just({"path": "${mounts.%s}" % min(own)})))  # noqa: UP031
    volume_names = [f"${{mounts.{name}}}" for name in (*own, *cluster_mounts)]
    known = volume_names + [f"${{inputs.{name}}}" for name in inputs]
    known += [f"${{outputs.{name}}}" for name in outputs]
    reference = st.sampled_from(known)
    mixed = st.builds("{} {}/{}".format, texts, reference, texts)
    job = {
        "cluster": cluster,
        "nodeCount": draw(st.integers(1, 1000)),
        "mounts": own,
        "inputs": inputs,
        "outputs": outputs,
        "environment": draw(st.dictionaries(variables, mixed, max_size=3)),
        "secrets": draw(st.dictionaries(variables.map("S_{}".format), secrets | vault, max_size=2)),
    }
    optional = filled(
        {},
        priority=st.sampled_from(["low", "normal", "high"]),
        preparation=mixed,
        timeLimit=st.sampled_from(["90m", "PT12H", "2d", "7.00:00:00"]),
        container=images | filled({"image": images}, server=texts, shmSize=shm_sizes),
        # Without them, the share `logs` is mounted, and code is the share `code`.
        logs=st.sampled_from(volume_names),
        code=st.sampled_from([".", "src"]),
    )
    job |= draw(optional) | draw(toolkits)
    return draw(st.just(job) | sweeps.map(lambda sweep: swept(job, sweep)))


numbers = st.integers(-9, 99) | st.floats(0, 1).map(lambda number: round(number, 4))
scalars = st.one_of(numbers, st.booleans(), texts, st.sampled_from(["a b", "it's", "1", "0.10"]))


@st.composite
def spaces(draw):
    """Values of a parameter, a variable or both: as a list of members, or as a grid."""
    keys = draw(st.sampled_from([["rate"], ["environment.SEED"], ["rate", "environment.SEED"]]))
    kind = draw(st.sampled_from([numbers, scalars]))
    values = [draw(st.lists(kind, min_size=1, max_size=2, unique_by=json.dumps)) for _ in keys]
    if draw(st.booleans()):
        return {"grid": dict(zip(keys, values, strict=True))}
    return {"list": [dict(zip(keys, row, strict=True)) for row in product(*values)]}


sweeps = st.builds(lambda space, more: space | more, spaces(), filled({}, concurrency=counts))


def swept(job, sweep):
    """Return a job with a sweep, with a reference to the parameter if that is varied."""
    space = sweep.get("grid") or sweep["list"][0]
    job = job | {"sweep": sweep}
    if "rate" in space:
        job["environment"] = job["environment"] | {"RATE": "at ${parameters.rate}!"}
        name, toolkit = next((name, job[name]) for name in TOOLKITS if name in job)
        if "args" in toolkit:
            job[name] = toolkit | {"args": "--rate ${parameters.rate}"}
    return job


def named(values, **sizes):
    """Return mappings by name; the service takes names that differ in case for the same."""
    pairs = st.lists(st.tuples(names, values), unique_by=lambda pair: pair[0].lower(), **sizes)
    return pairs.map(dict)


@st.composite
def specs(draw):
    machines = draw(named(clusters, min_size=1, max_size=2))
    work = {}
    for name in draw(st.lists(names, unique_by=str.lower, max_size=3)):
        cluster = draw(st.sampled_from(sorted(machines)))
        work[name] = draw(jobs(cluster, machines[cluster]["mounts"]))
    spec = {"clusters": machines, "jobs": work}
    spec["fileServers"] = draw(named(file_servers, max_size=2))
    if any("rate" in json.dumps(job.get("sweep", "")) for job in work.values()):
        spec["parameters"] = {"rate": {"default": "x", "type": "string"}}
    spec |= draw(filled({}, storageAccount=accounts, storageKey=secrets | vault))
    return {
        "apiVersion": "bai/v1",
        "kind": "Experiment",
        "metadata": {"name": draw(names), "tags": draw(st.dictionaries(names, texts, max_size=2))},
        "spec": spec,
    }


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
