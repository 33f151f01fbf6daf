"""What the compiler wrote into jobs for sweeps and code comes back from their files."""

import json
import re
import textwrap

import pytest
from compiling import compile_spec, review
from loading import load_text

from bai.compiler.compilation import Defaults
from bai.compiler.importer.importer import import_files
from bai.compiler.importer.names import ImportNames
from bai.compiler.resources.ids import Kind
from bai.specs.findings import errors
from bai.specs.syntax.reader import read

CONTEXT = Defaults(resource_group="g", workspace="w", location="eastus")
NAMES = ImportNames(workspace="w", resource_group="g", location="eastus")
SPEC = """apiVersion: bai/v1
kind: Experiment
metadata: {name: e}
spec:
  parameters: PARAMETERS
  clusters: {c: {vmSize: S, scale: 8}}
  jobs:
    train:
      mounts: {r: "azureFile:r"}
      logs: ${mounts.r}
JOB
      sweep: {SWEEP}
"""


def jobs_of(text):
    loaded = load_text(text, "e.yaml", "/x")
    assert loaded.findings == ()
    compilation = compile_spec(loaded.specs[0], CONTEXT)
    assert errors(compilation.findings) == ()
    return {job.id.name: job.to_wire() for job in compilation.of_kind(Kind.JOB)}


def imported(jobs):
    documents = [read(json.dumps(wire), f"{name}.json")[0][0] for name, wire in jobs.items()]
    return import_files(documents, NAMES, review)


def there_and_back(job, sweep, parameters="{lr: 0.1}"):
    """Return the one job that comes back from the files of a sweep, its parameters and findings."""
    text = SPEC.replace("JOB", textwrap.indent(textwrap.dedent(job).strip(), " " * 6))
    jobs = jobs_of(text.replace("SWEEP", sweep).replace("PARAMETERS", parameters))
    result = imported(jobs)
    assert jobs_of(result.text) == jobs
    [spec] = read(result.text, "e.yaml")[0]
    section = spec.data["spec"]["jobs"]
    return section, spec.data["spec"].get("parameters", {}), result.findings


@pytest.mark.parametrize(
    ("job", "sweep", "parameters", "found"),
    [
        (
            "horovod: {script: t.py, args: '--lr ${parameters.lr}'}",
            "grid: {lr: [0.1, 1e-4], environment.SEED: [1, 2]}",
            "{lr: 0.1}",
            {"horovod": {"script": "t.py", "args": "--lr ${parameters.lr}"}},
        ),
        (
            "custom: {command: 'run ${parameters.name}'}",
            "list: [{name: one}, {name: a b}, {name: it's}]",
            "{name: x}",
            {"custom": {"command": "run ${parameters.name}"}},
        ),
        (
            "nodeCount: '${parameters.n}'\ncustom: {command: 'true'}",
            "list: [{n: 1}, {n: 2}]",
            "{n: 1}",
            {"nodeCount": "${parameters.n}", "custom": {"command": "true"}},
        ),
        (
            "environment: {SEED: 1, LAST: x}\ncustom: {command: 'true'}",
            "zip: {environment.SEED: [3, 4], nodeCount: [1, 2]}",
            "{}",
            {"environment": {"SEED": "3", "LAST": "x"}, "custom": {"command": "true"}},
        ),
        (
            "container: a\ntimeLimit: 1h\ncustom: {command: 'true'}",
            "zip: {container.image: [a, b], timeLimit: [90m, 2h]}",
            "{}",
            {"custom": {"command": "true"}},
        ),
        (
            "horovod: {script: t.py, processesPerNode: 2}",
            "grid: {nodeCount: [1, 2, 4]}",
            "{}",
            {"horovod": {"script": "t.py", "processesPerNode": "2"}},
        ),
        (
            "custom: {command: 'run --batch 1 --lr ${parameters.lr} --gpus 1'}",
            "list: [{lr: 1}]",
            "{lr: 0.1}",
            {"custom": {"command": "run --batch 1 --lr ${parameters.lr} --gpus 1"}},
        ),
        (
            "custom: {command: 'run ${parameters.fast} ${parameters.lr}'}",
            "list: [{lr: 1, fast: true}, {lr: 0.5, fast: false}, {lr: 2.50, fast: true}]",
            "{lr: 0.1, fast: true}",
            {"custom": {"command": "run ${parameters.fast} ${parameters.lr}"}},
        ),
    ],
)
def test_members_become_one_job_again(job, sweep, parameters, found):
    section, declared, findings = there_and_back(job, sweep, parameters)
    assert findings == ()
    [(name, made)] = section.items()
    assert name == "train"
    points = made.pop("sweep")["list"]
    varied = {key for key in points[0] if "." not in key and f"parameters.{key}" in job}
    assert declared.keys() == varied
    always = {"cluster": "c", "mounts": {"r": "azureFile:r"}, "logs": "${mounts.r}"}
    one = {} if "nodeCount" in {*found, *points[0]} else {"nodeCount": "1"}
    assert made == {**always, **one, **found}


SIMPLE = SPEC.replace("PARAMETERS", "{lr: 0.1}").replace("SWEEP", "list: [{lr: 1}, {lr: 2}]")
LINE = SIMPLE.replace("JOB", "      custom: {command: 'run ${parameters.lr}'}")


CODE = LINE.replace("custom", "code: .\n      custom")


def test_members_that_differ_in_more_stay_jobs_and_members():
    jobs = jobs_of(LINE)
    first = next(iter(jobs.values()))
    first["properties"]["customToolkitSettings"]["commandLine"] = "another"
    result = imported(jobs)
    assert jobs_of(result.text) == jobs
    [note] = result.findings
    assert note.code == "BAI207"
    assert note.message == (
        "the members of the sweep train stay jobs: no sweep of one job compiles to them"
    )
    assert note.span.file == f"{next(iter(jobs))}.json"
    assert note.message in result.text


def test_a_value_that_stands_there_by_chance_is_no_reference():
    text = LINE.replace("run ${parameters.lr}", "run ${parameters.lr} 1").replace(
        "{lr: 2}", "{lr: 11}"
    )
    jobs = jobs_of(text)
    result = imported(jobs)
    assert jobs_of(result.text) == jobs
    assert "command: run ${parameters.lr} 1" in result.text


def test_two_equal_members_stay_jobs():
    [first, _] = jobs_of(LINE).values()
    result = imported({"a": first, "b": first})
    assert "stay jobs" in result.text
    assert list(jobs_of(result.text).values()) == [first, first]


def test_what_the_files_do_not_have_of_a_sweep_is_said():
    assert "do not have the settings of sweeps (train)" in imported(jobs_of(LINE)).text


def test_a_job_with_the_name_of_a_sweep_keeps_it():
    jobs = jobs_of(LINE)
    plain = {"properties": {**next(iter(jobs.values()))["properties"], "environmentVariables": []}}
    plain["properties"]["customToolkitSettings"] = {"commandLine": "true"}
    result = imported({"train": plain, **jobs})
    back = jobs_of(result.text)
    assert list(back) == ["train", *jobs]
    assert {name: back[name] for name in jobs} == jobs


def test_code_is_kept_with_a_note():
    text = re.sub("(?m)^ *(sweep|parameters):.*\\n", "", CODE).replace("${parameters.lr}", "it")
    jobs = jobs_of(text)
    result = imported(jobs)
    assert jobs_of(result.text) == jobs
    [note] = result.findings
    assert note.message == (
        "the job runs in the snapshot SNAPSHOT of a folder that the file does not name"
    )
    assert "BAI_CODE: ${mounts.code}/SNAPSHOT" in result.text
    assert "ignore" not in result.text


def test_a_snapshot_of_all_members_is_noted_once():
    jobs = jobs_of(CODE)
    result = imported(jobs)
    assert [finding.message.split()[3] for finding in result.findings] == ["in"]
    assert jobs_of(result.text) == jobs
    assert "list:" in result.text


def sweeps_over_rate(first, second):
    job = "custom: {{command: 'run ${{parameters.rate}}'}}, sweep: {{list: [{{rate: {}}}]}}"
    return f"""apiVersion: bai/v1
kind: Experiment
metadata: {{name: e}}
spec:
  parameters: {{rate: {{default: x, type: string}}}}
  clusters: {{c: {{vmSize: S, scale: 8}}}}
  jobs:
    a: {{{job.format(first)}}}
    b: {{{job.format(second)}}}
"""


@pytest.mark.parametrize(
    ("first", "second", "declared"),
    [
        ("0", "0.0", {"default": "0", "type": "number"}),
        ("0.5", "fast", {"default": "0.5", "type": "string"}),
        ("fast", "true", {"default": "fast", "type": "string"}),
        ("1", "2", "1"),
    ],
)
def test_a_parameter_of_two_sweeps_takes_the_values_of_both(first, second, declared):
    jobs = jobs_of(sweeps_over_rate(first, second))
    result = imported(jobs)
    assert jobs_of(result.text) == jobs
    [spec] = read(result.text, "e.yaml")[0]
    assert spec.data["spec"]["jobs"].keys() == {"a", "b"}
    assert spec.data["spec"]["parameters"] == {"rate": declared}
