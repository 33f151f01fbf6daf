"""Every code has a page, and what the examples on it say is true.

What a rule says of the wrong example on its page is in tests/linter/rules/CODE/page.txt.
`BAI_UPDATE_GOLDEN=1 pytest tests/linter/pages` writes that anew: read the difference before you
keep it.
"""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from compiling import compile_spec
from linting import findings_text, lint
from loading import load_text

import bai
from bai.compiler.compilation import UNNAMED, Defaults
from bai.compiler.emit.az import check_for_az
from bai.importing import import_
from bai.linter.driver.filesystem import LocalFiles
from bai.linter.driver.linter import Linter
from bai.linter.driver.shellcheck import ShellCheck
from bai.linter.environment import LintEnvironment
from bai.linter.pages.catalogue import catalogue
from bai.linter.pages.page import Example, read_page
from bai.linter.rules.registry import all_rules
from bai.runtime.provider.embedded import EmbeddedProvider
from bai.specs.codes import Stage
from bai.specs.findings import FindingsError
from bai.specs.source.plain_scalar import Plain

PAGES = catalogue()
RULES = Path(__file__).parents[1] / "rules"
UPDATE = os.environ.get("BAI_UPDATE_GOLDEN") == "1"
PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor}"
SOURCES = Path(next(iter(bai.__path__)))

DEFAULTS = Defaults(resource_group="group", workspace="workspace", location="eastus")
PACKAGES = SimpleNamespace(version={"keras": "3.15.1"}.get)
MACHINE = LintEnvironment(
    lambda: DEFAULTS,
    files=LocalFiles(),
    shell=ShellCheck(),
    packages=PACKAGES,
    fuse_accounts={"visiondata"},
)
SHORT_OF = {
    "BAI204": replace(DEFAULTS, location=None),
    "BAI211": Defaults(resource_group=UNNAMED, workspace=UNNAMED, location=UNNAMED),
}
"""What must be missing from the context for an example to be wrong."""
ONLY_IMPORTED = {"BAI206"}
"""Codes that no spec gives: BAI206 guards against mistakes of the compiler itself."""
ALIVE = {"BAI406"}
"""Codes about what lives already: there it is what the right example says."""
MISSING = {"BAI705": (shutil, "which"), "BAI707": (importlib.util, "find_spec")}
"""What finds no program and no module, for the codes about those that are not installed."""

NOT_EVERYWHERE = {"earlyStopping"}
"""Settings of sweeps that a provider may be unable to keep."""

SAVING = """\
import argparse, torch, horovod.torch as hvd
parser = argparse.ArgumentParser()
parser.add_argument("--output-dir")
args = parser.parse_args()
hvd.init()
if hvd.{}() == 0:
    torch.save({{}}, args.output_dir + "/model")
"""
WRITING = """\
import json, os, horovod.torch as hvd
hvd.init()
with open(os.path.join(os.environ["AZ_BATCHAI_OUTPUT_RESULTS"], f"{}"), "w") as file:
    json.dump({{}}, file)
"""
TRAINING = """\
import torch, horovod.torch as hvd
hvd.init()
model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * hvd.size())
{}model(torch.ones(1)).sum().backward()
optimizer.step()
"""
KERAS = """\
import keras
import {} as hvd
hvd.init()
optimizer = hvd.DistributedOptimizer(keras.optimizers.SGD(0.1))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=optimizer, loss="mse")
"""
SCRIPTS = {
    "train.py": "import horovod.torch as hvd\nhvd.init()\n",
    "broken.py": "def train(:\n    pass\n",
    "nothing.py": "# to be written\n",
    "old.py": "print 'epoch 1'\n",
    "alone.py": "import torch\ntorch.nn.Linear(1, 1)(torch.ones(1)).backward()\n",
    "names_init.py": "import horovod.torch as hvd\nhvd.init\n",
    "averages_alone.py": "import horovod.torch as hvd\nhvd.init()\n"
    "if hvd.rank() == 0:\n    print(hvd.allreduce(1))\n",
    "bare_package.py": "import horovod as hvd\nhvd.init()\n",
    "apart.py": TRAINING.format(""),
    "together.py": TRAINING.format("optimizer = hvd.DistributedOptimizer(optimizer)\n"),
    "reads_model.py": "import os\nprint(os.environ['AZ_BATCHAI_OUTPUT_MODEL'])\n",
    "names_rank.py": "import horovod.torch as hvd\nhvd.init()\nprint(hvd.rank == 0)\n",
    "asks_last.py": "import horovod.torch as hvd\nhvd.init()\n"
    "if hvd.rank() == hvd.size():\n    print('done')\n",
    "asks_early.py": "import horovod.torch as hvd\nrate = 0.1 * hvd.size()\nhvd.init()\n",
    "no_init.py": "import horovod.torch as hvd\nprint(hvd.rank())\n",
    "saves_on_nodes.py": SAVING.format("local_rank"),
    "saves_on_others.py": SAVING.format("rank").replace("==", "!="),
    "saves_once.py": SAVING.format("rank"),
    "wraps_keras_2.py": KERAS.format("horovod.keras"),
    "wraps_keras_3.py": KERAS.format("bai.keras"),
    "writes.py": WRITING.format("x.json"),
    "writes_by_rank.py": WRITING.format("{hvd.rank()}.json"),
    "saves.py": "import torch\nimport horovod.torch as hvd\nhvd.init()\ntorch.save({}, 'model')\n",
}
"""The scripts in the folder `code`, for the codes about them."""

JOB = {
    "cluster": "gpu",
    "nodeCount": 1,
    "mounts": {"data": "azureFile:data"},
    "logs": "${mounts.data}",
}
TOOLKITS = {"custom", "customMpi", "horovod", "tensorFlow", "pyTorch", "cntk", "caffe", "caffe2"}
TOOLKITS |= {"chainer"}
SPEC = {"clusters": {"gpu": {"vmSize": "STANDARD_NC6", "scale": 1}}}
JOB_JSON = {
    "nodeCount": 1,
    "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/data",
    "mountVolumes": {
        "azureFileShares": [
            {
                "azureFileUrl": "https://<AZURE_BATCHAI_STORAGE_ACCOUNT>.file.core.windows.net/data",
                "relativeMountPath": "data",
            }
        ]
    },
}
CLUSTER_JSON = {
    "vmSize": "STANDARD_NC6",
    "scaleSettings": {"manual": {"targetNodeCount": 1}},
    "userAccountSettings": {"adminUserName": "me", "adminUserSshPublicKey": "ssh-rsa AAAA"},
}


def framed(example):
    """The whole file that an example is a part of, and its name."""
    if example.frame == "file":
        return example.text, "file.json" if example.text.startswith("{") else "file.yaml"
    if example.frame == "job.json":
        properties = JOB_JSON | json.loads(example.text)
        if not any(re.search("(?<!ner)Settings$", key) for key in properties):
            properties |= {"customToolkitSettings": {"commandLine": "hostname"}}
        return json.dumps({"properties": properties}, indent=2), "job.json"
    if example.frame == "cluster.json":
        properties = CLUSTER_JSON | json.loads(example.text)
        return json.dumps({"properties": properties}, indent=2), "cluster.json"
    head = "apiVersion: bai/v1\nkind: Experiment\nmetadata: {name: example}\nspec:\n"
    if example.frame == "spec":
        return head + indented(example.text, 2), "experiment.yaml"
    part = yaml.load(example.text, yaml.BaseLoader)
    rest = {key: value for key, value in JOB.items() if key not in part}
    if TOOLKITS.isdisjoint(part):
        rest["custom"] = {"command": "hostname"}
    lines = "".join(f"      {key}: {json.dumps(value)}\n" for key, value in rest.items())
    text = f"{head}  clusters: {json.dumps(SPEC['clusters'])}\n  jobs:\n    train:\n"
    return text + lines + indented(example.text, 6), "experiment.yaml"


def indented(text, columns):
    return textwrap.indent(text, " " * columns)


def found(code, example, folder):
    text, name = framed(example)
    content = Example(example.frame, text).content
    return lint(content, name, str(folder), LintEnvironment(lambda: SHORT_OF.get(code, DEFAULTS)))


def write_scripts(folder):
    (folder / "code/words").mkdir(parents=True)
    for name, script in SCRIPTS.items():
        (folder / "code" / name).write_text(script)


def write_code(folder):
    for path, content in {
        "code/.gitignore": "secret.py\n",
        "code/train.py": "",
        "code/secret.py": "",
        "large/train.py": "#" * 2000,
        "linked/train.py": "",
    }.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(content)
    (folder / "linked/data").symlink_to("/data")


def codes_at(*stages):
    return [
        code
        for code, (entry, page, _) in PAGES.items()
        if entry.stage in stages and code not in ONLY_IMPORTED and page.wrong.frame != "shell"
    ]


def check(code, wrong, right):
    rule = PAGES[code].code
    assert {finding.code for finding in wrong} == {code}, wrong
    assert {finding.severity for finding in wrong} == {rule.severity}
    assert all(finding.span for finding in wrong)
    assert tuple(right) == ()


@pytest.mark.parametrize("code", codes_at(Stage.READING, Stage.COMPILING, Stage.CHECKING))
def test_the_wrong_example_is_found_and_the_right_one_is_clean(code, tmp_path):
    page = PAGES[code].page
    check(code, found(code, page.wrong, tmp_path), found(code, page.right, tmp_path))


@pytest.mark.parametrize("code", codes_at(Stage.FILLING))
def test_the_wrong_example_is_found_with_the_values_of_its_command(code):
    def compiled(example):
        text = framed(example)[0]
        [options] = re.findall("# bai compile (.*)experiment.yaml", text)
        values = (each.split("=") for each in re.findall("-p ([^ ]+)", options))
        return bai.loads(text, parameters={name: Plain(value) for name, value in values}).findings

    page = PAGES[code].page
    wrong, right = compiled(page.wrong), compiled(page.right)
    assert {finding.code for finding in wrong} == {code}
    assert {finding.severity for finding in wrong} == {PAGES[code].code.severity}
    assert right == ()
    for example in (page.wrong, page.right):
        assert lint(framed(example)[0].encode(), "e.yaml", "/", MACHINE) == ()


@pytest.mark.parametrize("code", codes_at(Stage.LINTING, Stage.PREFLIGHT))
def test_the_wrong_example_is_found_on_this_machine(code, tmp_path):
    def linted(example):
        text, name = framed(example)
        return lint(Example(example.frame, text).content, name, str(tmp_path), MACHINE)

    write_scripts(tmp_path)
    page = PAGES[code].page
    check(code, linted(page.wrong), linted(page.right))


@pytest.mark.parametrize("code", codes_at(Stage.CHECKING, Stage.LINTING, Stage.PREFLIGHT))
def test_what_is_said_of_the_wrong_example(code, tmp_path):
    example = PAGES[code].page.wrong
    text, name = framed(example)
    machine = LintEnvironment(lambda: SHORT_OF.get(code, DEFAULTS))
    if PAGES[code].code.stage is not Stage.CHECKING:
        machine = MACHINE
        write_scripts(tmp_path)
    content = Example(example.frame, text).content
    said = findings_text(content, name, str(tmp_path), machine).replace(PYTHON, "Python X.Y")
    golden = RULES / code / "page.txt"
    if UPDATE:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(said)
    assert said == golden.read_text()


@pytest.mark.parametrize("code", [*codes_at(Stage.IMPORTING), *ONLY_IMPORTED])
def test_the_wrong_example_is_found_by_an_import(code, tmp_path):
    def imported(example):
        text, name = framed(example)
        (tmp_path / name).write_text(text)
        return import_(tmp_path / name).findings

    page = PAGES[code].page
    check(code, imported(page.wrong), imported(page.right))


@pytest.mark.parametrize("code", codes_at(Stage.EXPORTING))
def test_the_wrong_example_is_found_by_an_export(code):
    def exported(example):
        loaded = load_text(framed(example)[0], "experiment.yaml", "/nowhere")
        return check_for_az(compile_spec(*loaded.specs, SHORT_OF.get(code, DEFAULTS)).check())

    page = PAGES[code].page
    check(code, exported(page.wrong), exported(page.right))


@pytest.mark.parametrize("code", codes_at(Stage.SUPPRESSING))
def test_the_wrong_example_is_found_by_the_linter(code, tmp_path):
    def linted(example):
        text, name = framed(example)
        metadata = "metadata: {resourceGroup: g, workspace: w, location: l, "
        content = text.replace("metadata: {", metadata).encode()
        return Linter().content(content, str(tmp_path / name)).findings

    page = PAGES[code].page
    check(code, linted(page.wrong), linted(page.right))


@pytest.mark.parametrize("code", codes_at(Stage.PLANNING))
def test_the_wrong_example_is_found_by_a_plan(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BAI_CONTEXT", raising=False)
    limits = "[contexts.local]\ncode-limit = '1k'\n[contexts.local.engine]\nslots = 2\n"
    (tmp_path / "bai.toml").write_text(limits)
    write_code(tmp_path)
    monkeypatch.setenv("API_TOKEN", "hunter2")
    if code in MISSING:
        module, name = MISSING[code]
        monkeypatch.setattr(module, name, lambda _: None)

    if code == "BAI812":
        # The provider of a plugin may keep less than the built-in one.
        monkeypatch.setattr(
            EmbeddedProvider, "unkept", lambda _, sweep: NOT_EVERYWHERE & sweep.to_json().keys()
        )

    def planned(example):
        text, name = framed(example)
        (tmp_path / name).write_text(text)
        return bai.load(name)

    page = PAGES[code].page
    if code in ALIVE:
        planned(page.right).apply()
    right = planned(page.right).diff().findings
    try:
        wrong = planned(page.wrong).diff().findings
    except FindingsError as error:
        # Where the code of a job can't be read, there is no plan.
        wrong = error.findings
    check(code, wrong, right)


@pytest.mark.parametrize("code", [c for c, (_, p, _) in PAGES.items() if p.wrong.frame == "shell"])
def test_the_wrong_command_is_refused_and_the_right_one_is_not(code, bai):
    bai.write("    {}\n")
    path = f"{Path(bai.command[0]).parent}:{bai.environment['PATH']}"

    def typed(example):
        command = ["bash", "-e", "-c", example.text]
        environment = bai.environment | {"PATH": path}
        return subprocess.run(
            command, cwd=bai.folder, env=environment, capture_output=True, text=True, check=False
        )

    entry, page, _ = PAGES[code]
    wrong, right = typed(page.wrong), typed(page.right)
    listed = re.findall(r"(\w+) (BAI\d{3}) ", wrong.stdout)
    assert listed == [(entry.severity, code)], wrong
    assert (wrong.returncode, right.returncode) == (1, 0), right


def test_every_code_that_is_raised_has_a_page_and_the_other_way_round():
    raised = set()
    for path in (path for room in SOURCES.iterdir() for path in room.rglob("*.py")):
        raised |= set(re.findall(r'"(BAI\d{3})"', path.read_text()))
    assert raised == set(PAGES)


def test_what_rules_find_is_what_the_table_says():
    assert [entry.rule for entry in PAGES.values() if entry.rule] == list(all_rules())
    checking = {Stage.CHECKING, Stage.LINTING, Stage.PREFLIGHT}
    assert all((code.stage in checking) == bool(rule) for code, _, rule in PAGES.values())


def test_a_page_that_lacks_something_is_refused():
    with pytest.raises(ValueError, match="must have its code"):
        read_page("BAI101: x.\n\nWhy.\n", "BAI101")
    with pytest.raises(ValueError, match="why it matters"):
        read_page("BAI101: x.\n\nWrong (file):\n\n    a\n\nRight (file):\n\n    b\n", "BAI101")
