"""Strategies of Hypothesis for valid specs, as plain data."""

import json
from itertools import product

from hypothesis import strategies as st

from bai.specs.toolkits import TOOLKITS

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
    counted(filled({"script": texts}, args=texts, timeline=st.booleans())).map(
        lambda t: {"horovod": t}
    ),
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
