"""Scripts in folders of this machine: missing, broken, or without what Horovod needs."""

import json
import os
import shutil
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linting import lint

from bai.compiler.compilation import Defaults
from bai.compiler.resources.binds import bind_command
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.driver.filesystem import LocalFiles
from bai.linter.driver.shellcheck import ShellCheck
from bai.linter.environment import LintEnvironment
from bai.linter.python import python_script
from bai.linter.resource_view import ResourceView
from bai.linter.rules.registry import violations

EXAMPLES = Path(__file__).parents[3] / "examples"
DEFAULTS = Defaults("s", "g", "w", "l", "store")
SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: x}
spec:
  clusters:
    gpu: {vmSize: STANDARD_NC6, scale: 2, mounts: {tools: "file:tools"}}
  jobs:
    train:
      nodeCount: 2
      mounts: {data: "azureFile:data", code: "file:code"}
      logs: ${mounts.data}
"""
IN_FOLDER = "custom: {command: 'cd ${mounts.code} && python train.py'}\n"
HOROVOD = "import torch, horovod.torch as hvd\n"


@pytest.fixture
def folder(tmp_path):
    for name in ("code/sub", "tools"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "code/train.py").write_text("print('hello')\n")
    (tmp_path / "code/requirements.txt").touch()
    (tmp_path / "tools/setup.sh").touch()
    return tmp_path


@pytest.fixture
def found(folder):
    def check(job, files=None):
        text = SPEC + textwrap.indent(job, "      ")
        machine = LintEnvironment(lambda: DEFAULTS, files=files or LocalFiles())
        return lint(text.encode(), "experiment.yaml", str(folder), machine)

    return check


def horovod(name="train.py"):
    return f"horovod: {{script: '${{mounts.code}}/{name}'}}\n"


@pytest.mark.parametrize(
    ("job", "missing", "hint"),
    [
        (horovod("trian.py"), "no script code/trian.py", "did you mean train.py?"),
        (horovod("sub/x.py"), "no script code/sub/x.py", "put it there"),
        ("cntk: {config: '${mounts.code}/a.cntk'}\n", "no config file code/a.cntk", "put it there"),
        (
            "custom: {command: 'bash -e ${mounts.tools}/setp.sh'}\n",
            "no script tools/setp.sh",
            "setup.sh",
        ),
        (
            "custom:\n  command: >-\n    cd /tmp;\n    python ${mounts.code}/x.py\n",
            "no script code/x.py",
            "",
        ),
        (
            horovod("x.py") + "preparation: pip install -r ${mounts.tools}/setup.sh\n",
            "no script code/x.py",
            "put it there",
        ),
        (
            "custom: {command: 'python ${mounts.code}/x.py --out ${mounts.code}'}\n",
            "no script code/x.py",
            "put it there",
        ),
        (
            "inputs: {C: '${mounts.code}'}\npyTorch: {script: '${inputs.C}/trai.py'}\n",
            "no script code/trai.py",
            "did you mean train.py?",
        ),
        (
            "preparation: pip install -q -r ${mounts.code}/requirement.txt\ncustom: {command: x}\n",
            "no requirements file code/requirement.txt",
            "did you mean requirements.txt?",
        ),
        (
            "custom: {command: 'cd ${mounts.code} && python trian.py'}\n",
            "no script code/trian.py",
            "did you mean train.py?",
        ),
        (
            'custom:\n  command: cd "${mounts.code}" && cd sub; mpirun python -u ../trian.py\n',
            "no script code/trian.py",
            "did you mean train.py?",
        ),
        (
            "preparation: cd ${mounts.code} && pip install -r requirement.txt\n" + IN_FOLDER,
            "no requirements file code/requirement.txt",
            "did you mean requirements.txt?",
        ),
        (
            "preparation: cd ${mounts.code} && pip install -r requirements.txt\n"
            + IN_FOLDER.replace("train", "trian"),
            "no script code/trian.py",
            "did you mean train.py?",
        ),
        (
            "custom: {command: 'git clone x; python ${mounts.code}/x.py'}\n",
            "no script code/x.py",
            "",
        ),
    ],
)
def test_a_script_that_is_not_there_is_an_error(found, job, missing, hint):
    (finding,) = found(job)
    assert (finding.code, finding.severity) == ("BAI721", "error")
    assert finding.message == f"there is {missing}"
    assert hint in finding.hint


@pytest.mark.parametrize(
    "job",
    [
        horovod(),
        "custom: {command: 'bash ${mounts.tools}/setup.sh && python -u ${mounts.code}/train.py'}\n",
        "custom: {command: 'bash ${mounts.code}/$NAME.sh; bash -c \"x\"; python -m x.y'}\n",
        "horovod: {script: '${mounts.data}/there.py'}\n",
        "horovod: {script: $AZ_BATCHAI_JOB_TEMP/there.py}\n",
        "horovod: {script: /elsewhere/there.py}\n",
        "custom: {command: 'git clone x ${mounts.code}/x && python ${mounts.code}/x/a.py'}\n",
        "preparation: pip install -r ${mounts.code}/requirements.txt\ncustom: {command: x}\n",
        "preparation: pip install -r ${mounts.data}/all.txt -r all.txt\ncustom: {command: x}\n",
        horovod("made.py") + "preparation: git clone https://example.com/x ${mounts.code}/x\n",
        horovod("made.py")
        + "inputs: {C: '${mounts.code}/x'}\npreparation: 'git clone a.b ${inputs.C}'\n",
        horovod("made.py")
        + "environment: {D: '${mounts.code}/x'}\npreparation: 'git clone a.b \"${D}\"'\n",
        horovod("made.py") + "preparation: cd $AZ_BATCHAI_JOB_MOUNT_ROOT && ls\n",
        IN_FOLDER,
        "custom: {command: 'cd ${mounts.code} && make && python made.py'}\n",
        "custom: {command: 'cd ${mounts.code} && cd \"$WHERE\" && python made.py'}\n",
        "custom: {command: 'cd ${mounts.code}; docker run x python made.py'}\n",
        "custom: {command: 'cd ${mounts.code}; mpirun -wdir /x python made.py'}\n",
        "custom: {command: '(cd ${mounts.code}; ls); python made.py'}\n",
        "custom: {command: 'cd ${mounts.code} || exit; python made.py'}\n",
        "preparation: cd ${mounts.code} && pip install -t . x\n"
        + IN_FOLDER.replace("train", "made"),
        "custom: {command: 'cp x.py ${mounts.code}/ && python ${mounts.code}/x.py'}\n",
    ],
)
def test_what_is_there_or_elsewhere_is_fine(found, job):
    assert found(job) == ()


@pytest.mark.parametrize(
    ("job", "message", "hint"),
    [
        (horovod("sub"), "the script code/sub is a folder", "add the name of the file"),
        (
            "pyTorch: {script: '${mounts.code}'}\n",
            "the script code is a folder",
            "add the name of the file: did you mean code/train.py?",
        ),
        (
            "custom: {command: 'bash ${mounts.code}'}\n",
            "the script code is a folder",
            "add the name of the file",
        ),
    ],
)
def test_a_folder_is_no_script(found, job, message, hint):
    (finding,) = found(job)
    assert (finding.code, finding.message, finding.hint) == ("BAI721", message, hint)


def test_python_runs_a_folder_with_a_main_module(found, folder):
    (folder / "code/sub/__main__.py").touch()
    assert found("pyTorch: {script: '${mounts.code}/sub'}\n") == ()


@pytest.mark.parametrize(
    ("job", "hints"),
    [
        ("inputs: {W: '${mounts.code}/sbu'}\n", ["did you mean sub?"]),
        ("inputs: {W: '${mounts.tools}/w'}\n", ["put it there, or correct the path or the mount"]),
        ("inputs: {W: '${mounts.code}/sub', T: '${mounts.code}/train.py'}\n", []),
        ("inputs: {W: '${mounts.data}/w', X: '${mounts.code}'}\n", []),
        ("inputs: {W: '${mounts.code}/w'}\npreparation: cp -r /w ${mounts.code}/w\n", []),
        ("inputs: {W: '${mounts.code}/w'}\npreparation: mkdir $AZ_BATCHAI_INPUT_W\n", []),
    ],
)
def test_inputs_are_looked_for_in_folders_of_this_machine(found, job, hints):
    reported = [one.hint for one in found(job + horovod()) if one.code == "BAI744"]
    assert reported == hints


def test_hidden_names_are_not_suggested(found, folder):
    # bai's own state may be among them.
    (folder / "code/.bai").mkdir()
    reported = [one.hint for one in found("inputs: {W: '${mounts.code}/bai'}\n" + horovod())]
    assert reported[:1] == ["put it there, or correct the path or the mount"]


@pytest.mark.parametrize("name", ["run", "train.py"])
def test_a_shell_script_is_recognised_by_its_first_line(found, folder, name):
    script = folder / "code" / name
    script.write_text("#!/usr/bin/env bash\nset -e\npython3 train.py --epochs 3\n")
    (finding,) = found(horovod(name))
    assert finding.code == "BAI325"
    assert finding.message == f"code/{name} is a shell script, which Python can't run"
    (finding,) = found(f"custom: {{command: 'python ${{mounts.code}}/{name}'}}\n")
    assert (finding.code, finding.hint) == ("BAI325", "call it with bash in the place of python")
    assert found(f"custom: {{command: 'bash ${{mounts.code}}/{name}'}}\n") == ()


def test_a_script_for_a_shell_and_python_is_left_alone(found, folder):
    quote = "'" * 3
    content = f"#!/bin/sh\n{quote}exec' python3 $0\n{quote}\nimport horovod.torch as h\nh.init()\n"
    (folder / "code/train.py").write_text(content)
    assert found(horovod()) == ()


def test_a_folder_of_another_machine_is_not_looked_into(found, folder):
    (folder / "code/train.py").unlink()
    assert [finding.code for finding in found(horovod())] == ["BAI721"]
    shutil.rmtree(folder / "code")
    assert found(horovod()) == ()


def test_without_files_nothing_is_looked_at(folder):
    text = SPEC + textwrap.indent(horovod("gone.py"), "      ")
    assert lint(text.encode(), "x.yaml", str(folder), LintEnvironment(lambda: DEFAULTS)) == ()


def test_batch_ais_own_files_are_checked_the_same_way(folder):
    mount = {
        "relativeMountPath": "code",
        "mountCommand": bind_command(str(folder / "code")),
    }
    properties = {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/code",
        "mountVolumes": {"unmanagedFileSystems": [mount]},
        "pyTorchSettings": {"pythonScriptFilePath": "${AZ_BATCHAI_JOB_MOUNT_ROOT}/code/x.py"},
    }
    text = json.dumps({"properties": properties}, indent=1)
    machine = LintEnvironment(lambda: DEFAULTS, files=LocalFiles())
    (finding,) = lint(text.encode(), "job.json", "/", machine)
    assert (finding.code, finding.span.line) == (
        "BAI721",
        text[: text.index("x.py")].count("\n") + 1,
    )


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        ("a = 1\nif a\n", "BAI722", "can't compile train.py, line 2: expected ':'"),
        ("print 'epoch', 1\n", "BAI725", "train.py looks like Python 2, line 1: Missing paren"),
        (HOROVOD + "hvd.rank()\n", "BAI723", "imports Horovod on line 1 and never calls init()"),
        (
            HOROVOD + "hvd.init()\ntorch.save(1, 'x')\ntorch.save(2, 'y')\n",
            "BAI724",
            "every rank calls torch.save on line 3 of train.py, also on line 4",
        ),
    ],
)
def test_what_a_script_does_wrong_is_reported_with_its_line(found, folder, script, code, said):
    (folder / "code/train.py").write_text(script)
    (finding,) = found(horovod())
    assert finding.code == code
    assert said in finding.message
    text = SPEC + textwrap.indent(horovod(), "      ")
    assert "train.py" in text.split("\n")[finding.span.line - 1]


@pytest.mark.parametrize(
    ("count", "also"),
    [
        (1, ""),
        (2, ", also on line 4"),
        (4, ", also on lines 4, 5 and 6"),
        (6, ", also on lines 4, 5 and 3 more"),
    ],
)
def test_the_lines_of_all_saves_are_named(found, folder, count, also):
    saves = "".join(f"torch.save({n}, 'x{n}')\n" for n in range(count))
    (folder / "code/train.py").write_text(f"{HOROVOD}hvd.init()\n{saves}")
    (finding,) = found(horovod())
    assert finding.message == f"every rank calls torch.save on line 3 of train.py{also}"


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        ("torch.save(1, 'x')", "save under `if hvd.rank() == 0:`"),
        (
            "tf.train.MonitoredTrainingSession(checkpoint_dir='x')",
            "write checkpoint_dir=FOLDER if hvd.rank() == 0 else None",
        ),
        (
            "callbacks.append(keras.callbacks.ModelCheckpoint('x'))",
            "make and add ModelCheckpoint under `if hvd.rank() == 0:`",
        ),
    ],
)
def test_the_hint_fits_what_saves(found, folder, call, hint):
    (folder / "code/train.py").write_text(f"{HOROVOD}hvd.init()\n{call}\n")
    (finding,) = found(horovod())
    assert (finding.code, finding.hint) == ("BAI724", hint)


def test_a_broken_script_is_named_relative_to_the_spec(found, folder):
    (folder / "code/train.py").write_text("a = 1\nif a\n")
    (finding,) = found(horovod())
    assert finding.hint == "fix code/train.py:2:5"


@pytest.mark.parametrize(
    ("script", "job"),
    [
        ("print 'x'\n", "horovod: {script: '${mounts.code}/train.py', python: python2.7}\n"),
        (HOROVOD + "hvd.init()\nif hvd.rank() == 0:\n    torch.save(1, 'x')\n", horovod()),
        (HOROVOD + "torch.save(1, 'x')\n", "pyTorch: {script: '${mounts.code}/train.py'}\n"),
    ],
)
def test_a_script_that_is_right_is_clean(found, folder, script, job):
    (folder / "code/train.py").write_text(script)
    assert found(job) == ()


def test_the_scripts_of_mpirun_are_looked_at(found, folder):
    (folder / "code/train.py").write_text(HOROVOD)
    job = "custom: {command: 'mpirun -np 2 python ${mounts.code}/train.py --x'}\n"
    (finding,) = found(job)
    line = (SPEC + textwrap.indent(job, "      ")).split("\n")[finding.span.line - 1]
    assert finding.code == "BAI723"
    assert line[finding.span.column - 1 : finding.span.end_column - 1] == "${mounts.code}/train.py"


def test_one_process_may_save(folder):
    (folder / "code/train.py").write_text(HOROVOD + "hvd.init()\ntorch.save(1, 'x')\n")
    text = SPEC.replace("nodeCount: 2", "nodeCount: 1") + textwrap.indent(horovod(), "      ")
    machine = LintEnvironment(lambda: DEFAULTS, files=LocalFiles())
    assert lint(text.encode(), "x.yaml", str(folder), machine) == ()


def test_a_script_is_examined_once(found, folder, monkeypatch):
    looked = []
    examine = python_script.examine
    monkeypatch.setattr(python_script, "examine", lambda s: looked.append(s) or examine(s))
    (folder / "code/train.py").write_text("print('only in this test')\n")
    files = LocalFiles()
    assert found(horovod(), files) == found(horovod(), files) == ()
    assert len(looked) == 1
    (folder / "code/train.py").write_text("print('changed in this test'\n")
    assert [finding.code for finding in found(horovod(), files)] == ["BAI722"]
    assert len(looked) == 2


def test_files_that_are_none_are_left_alone(folder):
    files = LocalFiles()
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "large").write_text("xxx")
    for name in ("pipe", "loop", "large", "gone", "code", "\0"):
        assert files.read(f"{folder}/{name}", 2) is None
    assert files.read(f"{folder}/large", 3) == b"xxx"
    assert files.read(f"{folder}/large", 3) is files.read(f"{folder}/large", 4)
    assert files.names(f"{folder}/code") == {"sub", "train.py", "requirements.txt"}
    assert files.names(f"{folder}/large") is files.names(f"{folder}/\0") is None
    assert files.exists(f"{folder}/loop")
    assert not files.exists(f"{folder}/large/x")


@pytest.mark.parametrize(
    "spec", sorted(EXAMPLES.rglob("*.yaml")), ids=lambda path: path.parent.name
)
def test_the_examples_are_clean(spec):
    machine = LintEnvironment(lambda: DEFAULTS, files=LocalFiles(), shell=ShellCheck())
    assert lint(spec.read_bytes(), str(spec), str(spec.parent), machine) == ()


KEYS = st.sampled_from(
    [
        *("properties", "mountVolumes", "unmanagedFileSystems", "mountCommand"),
        *("relativeMountPath", "nodeSetup", "pyTorchSettings", "pythonScriptFilePath"),
        *("pythonInterpreterPath", "customToolkitSettings", "commandLine", "jobPreparation"),
        *("inputDirectories", "id", "path"),
    ]
)
TEXTS = st.text(max_size=8) | st.sampled_from(
    ["mount --bind /", "x", "$AZ_BATCHAI_JOB_MOUNT_ROOT/x/\0", "$AZ_BATCHAI_INPUT_x", "bash "]
)
JSON = st.recursive(
    st.none() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=30,
)


@given(JSON, JSON, st.sampled_from([Kind.JOB, Kind.CLUSTER, Kind.FILE_SERVER]))
def test_no_data_makes_a_rule_fail(data, other, kind):
    wire = {"properties": data}
    items = [ResourceView(kind, wire), ResourceView(Kind.CLUSTER, other)]
    subjects = RuleContext(items, LintEnvironment(files=LocalFiles()))
    list(violations(subjects))


TRAINS = "import torch\nloss = torch.nn.Linear(1, 1)(torch.ones(1))\nloss.backward()\n"
HELPERS = {
    "plain.py": "import numpy as np\ndef mean(x): return np.mean(x)\n",
    "gang.py": "import horovod.torch as hvd\ndef start():\n    hvd.init()\n",
    "models/__init__.py": "from .net import Net\n",
    "models/net.py": "from torch import nn\nfrom ..gang import start\nclass Net(nn.Module): pass\n",
    "steps/step.py": "import torch\ndef step(loss): loss.backward()\n",
}


@pytest.fixture
def helpers(folder):
    for name, text in HELPERS.items():
        (folder / "code" / name).parent.mkdir(exist_ok=True)
        (folder / "code" / name).write_text(text)


@pytest.mark.parametrize(
    "script",
    [
        TRAINS,
        "import plain, os, json, sklearn.datasets, torchvision\n" + TRAINS,
        "from steps import step\nimport torch\nstep.step(1)\n",
        "from steps.step import step\nstep(1)\n",
        "import tensorflow as tf\ntf.keras.Sequential([]).fit([1])\n",
        "'''Trains on one machine, not distributed.'''\n" + TRAINS,
    ],
)
def test_a_training_without_horovod_is_reported(found, folder, helpers, script):
    (folder / "code/train.py").write_text(script)
    (finding,) = found(horovod())
    assert (finding.code, finding.severity) == ("BAI730", "warning")
    assert (
        finding.message
        == "train.py trains without Horovod, so that every process trains for itself"
    )


@pytest.mark.parametrize(
    "script",
    [
        "import gang\n" + TRAINS,
        "import models.net\n" + TRAINS,
        "from models import Net\n" + TRAINS,
        "from elsewhere import Trainer\n" + TRAINS,
        "from steps import gone\n" + TRAINS,
        "from .. import up\n" + TRAINS,
        "import pytorch_lightning as pl\n" + TRAINS,
        "import subprocess\n" + TRAINS,
        "import torch.distributed\n" + TRAINS,
        "import os\nprint(os.environ['OMPI_COMM_WORLD_RANK'])\n" + TRAINS,
        "print('uses horovod')\n" + TRAINS,
        "import os\nfold = int(os.environ['AZ_BATCHAI_TASK_INDEX'])\n" + TRAINS,
        "import torch\nprint(torch.cuda.is_available())\n",
        "from sklearn.svm import SVC\nSVC().fit([1], [2])\n",
        "import broken\n" + TRAINS,
    ],
)
def test_what_may_have_to_do_with_horovod_is_left_alone(found, folder, helpers, script):
    (folder / "code/broken.py").write_text("import (\n")
    (folder / "code/train.py").write_text(script)
    assert found(horovod()) == ()


@pytest.mark.parametrize(
    "job",
    [
        "horovod: {script: '${mounts.code}/train.py', args: --variable_update horovod}\n",
        "pyTorch: {script: '${mounts.code}/train.py'}\n",
        "custom: {command: 'mpirun -np 2 python ${mounts.code}/train.py'}\n",
    ],
)
def test_a_training_that_another_toolkit_or_an_argument_spreads_is_left_alone(found, folder, job):
    (folder / "code/train.py").write_text(TRAINS)
    assert found(job) == ()


@pytest.mark.parametrize(
    ("script", "codes"),
    [
        ("import plain\nhvd.rank()\n", ["BAI723"]),
        ("import plain\nhvd.init\n", ["BAI726"]),
        ("import gang\ngang.start()\nhvd.rank()\n", []),
        ("import gang\nhvd.init\ngang.start()\n", []),
        ("import gang\ngang.start()\nhvd.rank()\nhvd.init()\n", []),
        ("import plain\nhvd.rank()\nhvd.init()\n", ["BAI727"]),
        ("from models.net import Net\nhvd.rank()\n", []),
        ("import pytorch_lightning\nhvd.rank()\n", []),
        ("import torch\nrun(backend='horovod')\nhvd.rank()\n", []),
    ],
)
def test_modules_beside_a_script_may_initialise_horovod(found, folder, helpers, script, codes):
    (folder / "code/train.py").write_text(HOROVOD + script)
    assert [finding.code for finding in found(horovod())] == codes


SHARED = "out = os.environ['AZ_BATCHAI_OUTPUT_RESULTS']\n"
OUTPUTS = "outputs: {RESULTS: '${mounts.data}'}\n"
GIVEN = "args = parser.parse_args()\n"


@pytest.mark.parametrize(
    ("script", "job", "code", "message"),
    [
        (
            SHARED + "hvd.init()\nif hvd.local_rank() == 0: torch.save(1, out)\n",
            horovod() + OUTPUTS,
            "BAI728",
            "a rank on each of the 2 nodes calls torch.save on line 4 of train.py",
        ),
        (
            SHARED + "hvd.init()\nwith open(out + '/x', 'w') as f: f.write('')\n",
            horovod() + OUTPUTS,
            "BAI729",
            "every rank writes the same file: open on line 4 of train.py",
        ),
        (
            GIVEN + "hvd.init()\nnp.save(args.output_dir + '/x', a)\n",
            horovod()[:-2] + ", args: '-e 3 --output-dir=${mounts.data}/o'}\n",
            "BAI729",
            "every rank writes the same file: np.save on line 4 of train.py",
        ),
        (
            GIVEN + "hvd.init()\nnp.save(args.out + '/x', a)\n",
            "custom:\n  command: mpirun python ${mounts.code}/train.py --out ${mounts.data}/o\n",
            "BAI729",
            "every rank writes the same file: np.save on line 4 of train.py",
        ),
        (
            "hvd.init\nprint(hvd.rank())\n",
            horovod(),
            "BAI726",
            "line 2 of train.py names init without calling it",
        ),
        (
            "rate = hvd.size()\nhvd.init()\n",
            horovod(),
            "BAI727",
            "hvd.size() on line 2 of train.py runs before init()",
        ),
    ],
)
def test_what_ranks_do_wrong_together_is_reported(found, folder, script, job, code, message):
    (folder / "code/train.py").write_text(HOROVOD + script)
    (finding,) = found(job)
    assert (finding.code, finding.severity, finding.message) == (code, "warning", message)


@pytest.mark.parametrize(
    "args", ["", "--output-dir results", "--output-dirs ${mounts.data}", "--output-dir /tmp/x"]
)
def test_a_folder_that_is_not_known_to_be_shared_is_left_alone(found, folder, args):
    script = "hvd.init()\nnp.save(args.output_dir + '/x', a)\n"
    script += "if hvd.local_rank() == 0: torch.save(1, args.output_dir + '/x')\n"
    (folder / "code/train.py").write_text(HOROVOD + GIVEN + script)
    assert found(f"horovod: {{script: '${{mounts.code}}/train.py', args: '{args}'}}\n") == ()


def test_one_node_may_save_where_its_first_rank_does(folder):
    script = HOROVOD + SHARED + "hvd.init()\nif hvd.local_rank() == 0: torch.save(1, out)\n"
    (folder / "code/train.py").write_text(script)
    machine = LintEnvironment(lambda: DEFAULTS, files=LocalFiles())
    for nodes, codes in ((1, []), (2, ["BAI728"])):
        text = SPEC.replace("nodeCount: 2", f"nodeCount: {nodes}")
        text += textwrap.indent(OUTPUTS + horovod(), "      ")
        findings = lint(text.encode(), "x.yaml", str(folder), machine)
        assert [finding.code for finding in findings] == codes


READS_WORDS = "import os\nwith open(os.environ['AZ_BATCHAI_INPUT_WORDS']) as f:\n    print(f)\n"


def custom(before=""):
    return f"custom: {{command: '{before}python ${{mounts.code}}/train.py'}}\n"


@pytest.mark.parametrize(
    ("job", "hints"),
    [
        (horovod(), ["declare WORDS under inputs"]),
        (horovod() + "inputs: {WODRS: /w}\n", ["did you mean AZ_BATCHAI_INPUT_WODRS?"]),
        (horovod() + "inputs: {WORDS: /w}\n", []),
        (custom(), ["declare WORDS under inputs"]),
        (custom("AZ_BATCHAI_INPUT_WORDS=/words "), []),
        (custom(". /etc/settings && "), []),
    ],
)
def test_a_variable_that_a_script_needs_is_set(found, folder, job, hints):
    (folder / "code/train.py").write_text(READS_WORDS)
    findings = [(finding.code, finding.hint) for finding in found(job)]
    assert findings == [("BAI734", hint) for hint in hints]


@pytest.mark.parametrize(
    ("inputs", "hints"),
    [
        ([], ["declare WORDS under inputDirectories"]),
        ([{"id": "[parameters('input')]", "path": "/words"}], []),
        ("[parameters('inputs')]", []),
    ],
)
def test_an_input_that_a_script_needs_may_be_in_batch_ais_own_file(folder, inputs, hints):
    (folder / "code/train.py").write_text(READS_WORDS)
    mount = {"relativeMountPath": "code", "mountCommand": bind_command(str(folder / "code"))}
    script = "$AZ_BATCHAI_JOB_MOUNT_ROOT/code/train.py"
    properties = {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/logs",
        "mountVolumes": {"unmanagedFileSystems": [mount]},
        "inputDirectories": inputs,
        "pyTorchSettings": {"pythonScriptFilePath": script},
    }
    machine = LintEnvironment(lambda: DEFAULTS, files=LocalFiles())
    text = json.dumps({"properties": properties})
    findings = lint(text.encode(), "job.json", "/", machine)
    assert [each.hint for each in findings if each.code == "BAI734"] == hints


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("# à la carte\n".encode("latin-1"), "train.py, line 1: byte 0xe0 is not UTF-8"),
        ("a = 1\nb = 'é'\n".encode("cp1252"), "line 2: byte 0xe9 is not UTF-8"),
        ("# coding: utf-8\n# é\n".encode("latin-1"), "line 2: byte 0xe9 is not UTF-8"),
        ("print(1)\n".encode("utf-16"), "line 1: byte 0xff is not UTF-8"),
    ],
)
def test_a_script_in_an_encoding_that_it_does_not_name(found, folder, content, said):
    (folder / "code/train.py").write_bytes(content)
    (finding,) = found(horovod())
    assert finding.code == "BAI722"
    assert finding.message.endswith(said)
    assert finding.hint == "save code/train.py as UTF-8, or begin it with `# coding: ENCODING`"


@pytest.mark.parametrize(
    "content",
    [
        "#!/usr/bin/python3\n# -*- coding: iso-8859-15 -*-\nname = 'é'\n".encode("latin-1"),
        "# vim: set fileencoding=cp1252 :\nname = 'é'\n".encode("cp1252"),
        "\ufeffname = 'é'\n".encode(),
        "name = 'é'\n".encode(),
    ],
)
def test_a_script_in_an_encoding_that_python_knows(found, folder, content):
    (folder / "code/train.py").write_bytes(content)
    assert found(horovod()) == ()


@pytest.mark.parametrize("content", ["", "\n\n", "# to be written\n"])
def test_an_empty_script_is_reported(found, folder, content):
    (folder / "code/train.py").write_text(content)
    (finding,) = found("pyTorch: {script: '${mounts.code}/train.py'}\n")
    assert (finding.code, finding.severity) == ("BAI737", "warning")
    assert finding.hint == "save the script in code/train.py"
