"""Parameters in compilations: equal to the values written in, and findings at their places."""

import json

import yaml
from compiling import compile_spec
from hypothesis import given
from hypothesis import strategies as st
from loading import load_text

from bai.compiler.compilation import Defaults

DEFAULTS = Defaults(resource_group="group", workspace="space", location="eastus")
WORDS = st.from_regex("[a-z][a-z0-9]{0,8}", fullmatch=True)
NUMBERS = st.one_of(st.integers(1, 64), st.sampled_from([0.1, 1e-3, 2.50]))
PLACES = {
    "name": ("metadata", "name"),
    "size": ("spec", "clusters", "c", "vmSize"),
    "scale": ("spec", "clusters", "c", "scale"),
    "nodes": ("spec", "jobs", "j", "nodeCount"),
    "priority": ("spec", "jobs", "j", "priority"),
    "limit": ("spec", "jobs", "j", "timeLimit"),
    "image": ("spec", "jobs", "j", "container", "image"),
    "share": ("spec", "jobs", "j", "mounts", "m"),
    "processes": ("spec", "jobs", "j", "horovod", "processCount"),
    "args": ("spec", "jobs", "j", "horovod", "args"),
    "value": ("spec", "jobs", "j", "environment", "A"),
    "text": ("spec", "jobs", "j", "environment", "B"),
}


@st.composite
def values(draw):
    return {
        "name": draw(WORDS),
        "size": "STANDARD_NC6",
        "scale": draw(st.integers(2, 9)),
        "nodes": draw(st.integers(1, 2)),
        "priority": draw(st.sampled_from(["low", "normal", "high"])),
        "limit": draw(st.sampled_from(["90m", "PT12H"])),
        "image": draw(WORDS) + ":1",
        "share": "azureFile:" + draw(st.from_regex("[a-z0-9]{3,9}", fullmatch=True)),
        "processes": 2,
        "args": "--epochs " + draw(WORDS),
        "value": draw(NUMBERS),
        "text": draw(st.text(st.characters(exclude_categories=["C"], exclude_characters="$"))),
    }


def spec_of(values, chosen, order):
    """Return a spec in which the chosen values are parameters."""
    job = {"logs": "${mounts.m}", "horovod": {"script": "${mounts.m}/train.py"}}
    spec = {"clusters": {"c": {}}, "jobs": {"j": job}}
    document = {"apiVersion": "bai/v1", "kind": "Experiment", "metadata": {}, "spec": spec}
    for name in order:
        holder = document
        for step in PLACES[name][:-1]:
            holder = holder.setdefault(step, {})
        is_parameter = name in chosen
        holder[PLACES[name][-1]] = f"${{parameters.{name}}}" if is_parameter else values[name]
    if chosen:
        spec["parameters"] = {name: values[name] for name in order if name in chosen}
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True)


def compiled(text):
    loaded = load_text(text, "spec.yaml", "/")
    assert loaded.findings == ()
    compilation = compile_spec(*loaded.specs, DEFAULTS)
    codes = sorted(finding.code for finding in compilation.findings)
    return codes, [
        (each.id, json.dumps(each.wire, sort_keys=True)) for each in compilation.resources
    ]


@given(values(), st.sets(st.sampled_from(sorted(PLACES))), st.permutations(sorted(PLACES)))
def test_a_spec_at_its_defaults_is_the_one_with_the_values_written_in(values, chosen, order):
    assert compiled(spec_of(values, chosen, order)) == compiled(spec_of(values, (), order))
