"""Errors in training scripts that show only on the nodes, and correct scripts like them."""

import sys

import pytest
from linting import lint

from bai.compiler.compilation import Defaults
from bai.linter.driver.filesystem import LocalFiles
from bai.linter.environment import LintEnvironment

SPEC = b"""\
apiVersion: bai/v1
kind: Experiment
metadata: {name: x}
spec:
  clusters:
    gpu: {vmSize: STANDARD_NC6, scale: 2}
  jobs:
    train:
      nodeCount: 2
      mounts: {data: "azureFile:data", code: "file:."}
      logs: ${mounts.data}
      horovod: {script: "${mounts.code}/train.py"}
"""
DEFAULTS = Defaults("s", "g", "w", "l", "store")
TORCH = "import torch\nimport horovod.torch as hvd\nhvd.init()\n"
TENSORFLOW = "import tensorflow as tf\nimport horovod.tensorflow as hvd\nhvd.init()\n"
KERAS = "import tensorflow as tf\nimport horovod.tensorflow.keras as hvd\nhvd.init()\n"
SIDES = """
def send():
    if hvd.rank() != 0:
        return
    hvd.barrier()
def receive():
    if hvd.rank() == 0:
        return
    hvd.barrier()
"""


@pytest.fixture
def reported(tmp_path):
    """Return what is reported for a script: code, message and hint of each finding."""

    def check(script):
        (tmp_path / "train.py").write_text(script)
        machine = LintEnvironment(lambda: DEFAULTS, files=LocalFiles())
        found = lint(SPEC, "experiment.yaml", str(tmp_path), machine)
        return [(each.code, each.message, each.hint) for each in found]

    return check


@pytest.mark.parametrize(
    ("script", "place", "lacks", "meant"),
    [
        (
            TORCH + "opt = hvd.DistributedOptimiser(1)\nprint(opt)\n",
            "hvd.DistributedOptimiser on line 4 of train.py",
            "horovod.torch has no DistributedOptimiser",
            "hvd.DistributedOptimizer",
        ),
        (
            TORCH + "hvd.broadcast_paramaters({})\nhvd.broadcast_paramaters({})\n",
            "hvd.broadcast_paramaters on line 4 of train.py, also on line 5",
            "horovod.torch has no broadcast_paramaters",
            "hvd.broadcast_parameters",
        ),
        (
            TENSORFLOW + "print(hvd.local_ranks())\n",
            "hvd.local_ranks on line 4 of train.py",
            "horovod.tensorflow has no local_ranks",
            "hvd.local_rank",
        ),
        (
            KERAS + "hvd.callbacks.BroadcastGlobalVariableCallback(0)\n",
            "hvd.callbacks.BroadcastGlobalVariableCallback on line 4 of train.py",
            "hvd.callbacks has no BroadcastGlobalVariableCallback",
            "hvd.callbacks.BroadcastGlobalVariablesCallback",
        ),
        (
            "import horovod.torch\nhorovod.torch.init()\nhorovod.torch.Rank()\n",
            "horovod.torch.Rank on line 3 of train.py",
            "horovod.torch has no Rank",
            "horovod.torch.rank",
        ),
        (
            "from horovod.mxnet import init, DistributedTraner\ninit()\n",
            "horovod.mxnet.DistributedTraner on line 1 of train.py",
            "horovod.mxnet has no DistributedTraner",
            "horovod.mxnet.DistributedTrainer",
        ),
        (
            "import horovod.pytorch as hvd\nhvd.init()\n",
            "horovod.pytorch on line 1 of train.py",
            "horovod has no pytorch",
            "horovod.torch",
        ),
        (
            "import horovod.tensorflow.kears as hvd\nhvd.init()\n",
            "horovod.tensorflow.kears on line 1 of train.py",
            "horovod.tensorflow has no kears",
            "horovod.tensorflow.keras",
        ),
        (
            "import torch\nfrom horovd.torch import init\ninit()\ntorch.ones(1).backward()\n",
            "horovd.torch.init on line 2 of train.py",
            "there is no package horovd",
            "horovod.torch.init",
        ),
        (
            "import Horovod.torch as hvd\nhvd.init()\n",
            "Horovod.torch on line 1 of train.py",
            "there is no package Horovod",
            "horovod.torch",
        ),
    ],
)
def test_a_misspelt_name_of_horovod_is_reported(reported, script, place, lacks, meant):
    assert reported(script) == [("BAI736", f"{place}: {lacks}", f"did you mean {meant}?")]


@pytest.mark.parametrize(
    "script",
    [
        TORCH + "hvd.world_size()\n",  # like no other name
        TORCH + "hvd.local_rank_op()\n",  # another part has it
        TORCH + "hvd.ranks = [1]\nprint(hvd.ranks)\n",
        TORCH + "if hasattr(hvd, 'ranks'):\n    hvd.ranks()\n",
        TORCH + "try:\n    hvd.ranks()\nexcept AttributeError:\n    pass\n",
        TORCH + "def f(hvd):\n    return hvd.ranks\n",
        "try:\n    import horovod.pytorch as hvd\nexcept ImportError:\n    raise\nhvd.init()\n",
        "import my_horovod.torch as hvd\nhvd.init()\n",
        "from horovod_tools.torch import ranks\nranks()\n",
        "from .horovd.torch import init\ninit()\n",
        "import horovod.spark.torch as hvd\nhvd.ranks()\n",
    ],
)
def test_names_that_may_be_right_are_not_reported(reported, script):
    assert reported(script) == []


@pytest.mark.parametrize(
    ("script", "line", "message"),
    [
        ("import sys\nif sys.argv:\n    return\n", 3, "'return' outside function"),
        ("print(1)\nyield 1\n", 2, "'yield' outside function"),
        ("await print()\n", 1, "'await' outside function"),
        ("for x in range(3):\n    pass\nbreak\n", 3, "'break' outside loop"),
        ("nonlocal x\n", 1, "nonlocal declaration not allowed at module level"),
        ("def f(a, a): pass\n", 1, "duplicate argument 'a' in function definition"),
        (
            "import os\nfrom __future__ import division\n",
            2,
            "from __future__ imports must occur at the beginning of the file",
        ),
        (
            "def f():\n    x = 1\n    global x\n",
            3,
            "name 'x' is assigned to before global declaration",
        ),
        ("try:\n    pass\nfinally:\n    return\n", 4, "'return' outside function"),
    ],
)
def test_a_script_that_parses_and_does_not_compile_is_reported(reported, script, line, message):
    [(code, said, hint)] = reported(script)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert (code, said) == (
        "BAI722",
        f"Python {version} can't compile train.py, line {line}: {message}",
    )
    assert hint.startswith(f"fix train.py:{line}:")


@pytest.mark.parametrize(
    "script",
    [
        '"""A text."""\nfrom __future__ import annotations\nimport os\nprint(os.name)\n',
        "for x in [1]:\n    try:\n        print(x)\n    finally:\n        continue\n",
        "import sys\nif sys.version_info.major is 3:\n    print('\\d')\n",  # warnings only
        "match 1:\n    case (0, x) | (x, 0):\n        print(x)\n",
        "".join(f"{' ' * n}try: pass\n{' ' * n}finally:\n" for n in range(19))
        + " " * 19
        + "pass\n",
    ],
)
def test_a_script_that_compiles_is_clean(reported, script):
    assert reported(script) == []


@pytest.mark.parametrize(
    "script",
    [
        "".join(f"{' ' * n}try: pass\n{' ' * n}finally:\n" for n in range(90))
        + " " * 90
        + "pass\n",
        "match 1:\n case "
        + "|".join(f"({','.join(f'a{(i * 7 + n) % 300}' for n in range(300))})" for i in range(40))
        + ": pass\n",
        "x = " + "-" * 50_000 + "1\n",
        "def f():\n try:\n" + "  if f: return\n" * 2000 + " finally:\n" + "  f()\n" * 3000,
    ],
    ids=["nested finally", "alternatives", "signs", "ways out"],
)
def test_what_takes_long_to_compile_is_soon_looked_at(reported, script):
    assert {code for code, *_ in reported(script)} <= {"BAI722"}


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            "def mean(x):\n if hvd.rank() != 0:\n  return x\n return hvd.allreduce(x)\nmean(1)\n",
            "only rank 0 calls hvd.allreduce on line 7 of train.py",
        ),
        (
            "import sys\nfirst = hvd.rank() == 0\nif not first:\n sys.exit()\nhvd.barrier()\n",
            "only rank 0 calls hvd.barrier on line 8 of train.py",
        ),
        (
            "for x in range(3):\n if hvd.rank() == 0:\n  continue\n hvd.allreduce(x)\n",
            "all ranks but the first call hvd.allreduce on line 7 of train.py",
        ),
        (
            "x = hvd.allreduce(1) if hvd.rank() == 0 else 1\n",
            "only rank 0 calls hvd.allreduce on line 4 of train.py",
        ),
    ],
)
def test_an_exchange_that_only_some_ranks_come_to_is_reported(reported, script, message):
    hint = f"call it on all ranks: {message.split()[-6]}() needs every one of them"
    assert reported(TORCH + script) == [("BAI732", message, hint)]


@pytest.mark.parametrize(
    "script",
    [
        "def f(x):\n if hvd.rank() != 0:\n  return receive(x)\n hvd.broadcast(x, 0)\n",
        "def f(x):\n if hvd.rank() != 0:\n  return hvd.barrier()\n return hvd.barrier()\n",
        SIDES,
        "def f(x):\n if hvd.size() > 1 and hvd.rank() != 0:\n  return\n hvd.allreduce(x)\n",
        "def f(x):\n if hvd.rank() != 0:\n  return\n print(x)\nhvd.allreduce(1)\nf(1)\n",
        "def f(x):\n if x:\n  return\n hvd.allreduce(x)\n",
        "x = hvd.broadcast(1, 0) if hvd.rank() == 0 else hvd.broadcast(2, 0)\n",
        "x = hvd.rank() if hvd.rank() == 0 else hvd.size()\n",
    ],
)
def test_an_exchange_that_all_ranks_may_come_to_is_not_reported(reported, script):
    assert reported(TORCH + script) == []


MODEL = "model = torch.nn.Linear(1, 1)\n"
STEP = "model(torch.ones(1)).sum().backward()\n"
WRAP = "write optimizer = hvd.DistributedOptimizer(optimizer), and train with that"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            TORCH + MODEL + "opt = torch.optim.SGD(model.parameters(), lr=0.1)\n"
            "hvd.DistributedOptimizer(opt)\n" + STEP + "opt.step()\n",
            "nothing uses what hvd.DistributedOptimizer returns on line 6 of train.py",
        ),
        (
            TORCH + MODEL + "opt = torch.optim.SGD(model.parameters(), lr=0.1)\n"
            "wrapped = hvd.DistributedOptimizer(opt)\n" + STEP + "opt.step()\n",
            "nothing uses what hvd.DistributedOptimizer returns on line 6 of train.py",
        ),
        (
            TORCH + MODEL + "solver = torch.optim.SGD(model.parameters(), lr=0.1 * hvd.size())\n"
            "distributed = hvd.size() > 1\n" + STEP + "solver.step()\n",
            "every process trains a model of its own with solver.step on line 8 of train.py",
        ),
        (
            TORCH
            + "from torch.optim import SGD as Rule\n"
            + MODEL
            + "rule = Rule(model.parameters(), lr=0.1 * hvd.size())\n"
            + STEP
            + "rule.step()\n",
            "every process trains a model of its own with rule.step on line 8 of train.py",
        ),
    ],
)
def test_training_apart_is_reported_whatever_things_are_called(reported, script, message):
    assert reported(script) == [("BAI735", message, WRAP)]


def test_a_tape_that_nothing_uses_is_reported(reported):
    script = (
        TENSORFLOW + "with tf.GradientTape() as tape:\n    loss = 1\n"
        "hvd.DistributedGradientTape(tape)\nprint(tape.gradient(loss, []))\n"
    )
    message = "nothing uses what hvd.DistributedGradientTape returns on line 6 of train.py"
    hint = "write tape = hvd.DistributedGradientTape(tape) before tape.gradient"
    assert reported(script) == [("BAI735", message, hint)]


@pytest.mark.parametrize(
    "script",
    [
        "opt = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1))\n"
        + STEP
        + "opt.step()\n",
        "def wrapped(opt):\n return hvd.DistributedOptimizer(opt)\n",
        "import pytest\nwith pytest.raises(ValueError):\n hvd.DistributedOptimizer(1)\n",
        "try:\n hvd.DistributedOptimizer(1)\nexcept ValueError:\n pass\n",
        "opt = 1\ndef wrap():\n global opt\n opt = hvd.DistributedOptimizer(opt)\n",
        "scheduler = torch.optim.lr_scheduler.StepLR(1, 2 * hvd.size())\n"
        + STEP
        + "scheduler.step()\n",
    ],
)
def test_what_may_train_together_is_not_reported(reported, script):
    assert reported(TORCH + MODEL + script) == []


@pytest.mark.parametrize(
    ("condition", "how", "hint"),
    [
        ("hvd.rank() == hvd.size()", "never", "ranks count from 0: the last one is hvd.size() - 1"),
        ("hvd.size() <= hvd.rank()", "never", "ranks count from 0: the last one is hvd.size() - 1"),
        ("rank == size", "never", "ranks count from 0: the last one is size - 1"),
        (
            "hvd.local_rank() >= hvd.local_size()",
            "never",
            "ranks count from 0: the last one is hvd.local_size() - 1",
        ),
        ("hvd.rank() < 0", "never", "ranks count from 0"),
        ("hvd.rank() == -1", "never", "ranks count from 0"),
        ("0 > rank", "never", "ranks count from 0"),
        ("hvd.size() < 1", "never", "there is at least 1 process"),
        (
            "hvd.local_rank() == '0'",
            "never",
            "hvd.local_rank() is a number: write it without quotes",
        ),
        ("rank != '0'", "always", "rank is a number: write it without quotes"),
    ],
)
def test_a_comparison_that_is_the_same_on_all_ranks_is_reported(reported, condition, how, hint):
    script = f"{TORCH}rank, size = hvd.rank(), hvd.size()\nif {condition}:\n    print('x')\n"
    message = f"{condition} on line 5 of train.py {how} holds"
    assert reported(script) == [("BAI746", message, hint)]


@pytest.mark.parametrize(
    "script",
    [
        "if hvd.rank() == hvd.size() - 1: print('last')\n",
        "if hvd.rank() == hvd.local_size(): print('second node')\n",
        "if hvd.rank() == hvd.size(1): print('outside of a process set')\n",
        "if hvd.local_rank() == hvd.rank(): print('first node')\n",
        "if hvd.size() == hvd.local_size(): print('one node')\n",
        "if hvd.size() > hvd.rank() + 1: print('not the last')\n",
        "if hvd.rank() < 1 or hvd.size() <= 1: print('first or alone')\n",
        "if hvd.rank() is 0: print('true in CPython')\n",
        "assert 0 <= hvd.rank() < hvd.size() and not hvd.rank() < 0\n",
        "if hvd.rank() < 0:\n raise ValueError\n",
        "import unittest\nunittest.TestCase().assertFalse(hvd.rank() == hvd.size())\n",
        "rank = hvd.rank() if torch else -1\nif rank == -1: print('alone')\n",
        "def f(rank): return rank < 0\nrank = hvd.rank()\n",
        "rank = hvd.rank()\nrank -= 1\nprint(rank < 0)\n",
        "rank = str(hvd.rank())\nprint(rank == '0')\n",
    ],
)
def test_other_comparisons_are_not_reported(reported, script):
    assert reported(TORCH + script) == []
