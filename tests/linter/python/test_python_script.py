"""What is reported of training scripts; scripts as people write them with Horovod are clean."""

# ruff: noqa: E501  (scripts on one line each)

import re
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.linter.python.python_script import (
    MAX_LENGTH,
    Save,
    ScriptFacts,
    SyntaxProblem,
    Unexamined,
    examine,
)

EXAMPLES = sorted(
    path
    for path in (Path(__file__).parents[3] / "examples").glob("*/*.py")
    if re.search("^import horovod", path.read_text(), re.MULTILINE)
)
TORCH = "import torch\nimport horovod.torch as hvd\nhvd.init()\n"
KERAS = "import tensorflow as tf\nfrom tensorflow import keras\nimport horovod.keras as hvd\nhvd.init()\n"


def saves(script: str) -> list[str]:
    """Return the source lines at which every rank saves."""
    script = textwrap.dedent(script)
    found = examine(script)
    assert isinstance(found, ScriptFacts), found
    return [script.splitlines()[save.line - 1].strip() for save in found.saves]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_examples_are_clean(path):
    found = examine(path.read_bytes())
    assert found == ScriptFacts(found.horovod_line, initialises=True, saves=())
    assert "import horovod" in path.read_text().splitlines()[found.horovod_line - 1]


@pytest.mark.parametrize(
    "script",
    [
        "import horovod.torch as hvd\nhvd.init()",
        "import horovod.tensorflow.keras as h\nh.init()",
        "import horovod.torch\nhorovod.torch.init()",
        "from horovod import torch as hvd\nhvd.init()",
        "from horovod.torch import init, rank\ninit()",
        "from horovod.torch import *\ninit()",
        "def setup():\n    import horovod.torch as hvd\n    hvd.init()\nsetup()",
        "import horovod.torch as hvd\nstart = hvd.init\nstart()",
        "import horovod.torch as hvd\nfrom tools import setup\nsetup(hvd)",
        "import horovod.torch as hvd\nfrom tools import init_distributed\ninit_distributed()",
        "import horovod.torch as hvd\nclass A:\n  def f(self):\n    self.hvd = hvd; self.hvd.init()",
        "try:\n    import horovod.torch as hvd\nexcept ImportError:\n    hvd = None\nif hvd: hvd.init()",
    ],
)
def test_horovod_is_initialised(script):
    found = examine(script)
    assert found.horovod_line
    assert found.initialises


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("import horovod.torch as hvd\nprint(hvd.rank())", 1),
        ("import os\nimport wandb\nfrom horovod import tensorflow as hvd\nwandb.init()", 3),
        ("from horovod.torch import rank\nprint(rank())", 1),
        ("'''hvd.init()'''\nimport horovod.keras as hvd\n# hvd.init()", 2),
    ],
)
def test_horovod_is_never_initialised(script, line):
    found = examine(script)
    assert (found.horovod_line, found.initialises) == (line, False)


@pytest.mark.parametrize(
    "script",
    [
        "",
        "import torch\ntorch.save(x, 'y')",
        "import horovod.spark\nhorovod.spark.run(f)",
        "from horovod.runner import run\nrun(f)",
        "from horovod.common.util import gloo_built\ngloo_built()",
        "print('horovod')",
    ],
)
def test_a_script_without_a_framework_of_horovod_has_nothing_to_initialise(script):
    found = examine(script)
    assert (found.horovod_line, found.initialises, found.saves) == (None, False, ())
    assert found.mentions_horovod == ("horovod" in script)


SAVED_BY_ALL = [
    (TORCH, "torch.save(model.state_dict(), 'x.pt')"),
    (TORCH, "model.cuda(hvd.local_rank()); torch.save(model, 'x.pt')"),
    (TORCH, "for epoch in range(3):\n    if epoch % 2:\n        torch.save(model, 'x.pt')"),
    (TORCH, "def save():\n    torch.save(model, 'x.pt')\nsave()"),
    (TORCH, "def save():\n    torch.save(m, 'x')\ndef main():\n    save()\nif __name__ == '__main__': main()"),
    (TORCH, "class T:\n    def end(self):\n        torch.save(m, 'x')\nt = T()\nt.end()"),
    (TORCH, "if hvd.rank() == 0:\n    print('hi')\ntorch.save(m, 'x')"),
    (TORCH, "with open('x', 'wb') as f:\n    torch.save(m, f)"),
    (TORCH, "loss = hvd.allreduce(loss)\nif loss < best: torch.save(m, 'x')"),
    (TORCH, "lr = 0.1 * hvd.size()\nif lr > 1: torch.save(m, 'x')"),
    (TORCH, "class T:\n    def __init__(self, rank): pass\n    def end(self):\n        torch.save(m, 'x')\nt = T(hvd.rank())\nt.end()"),
    (TORCH, "world = hvd.size()\nif step % world == 0: torch.save(m, 'x')"),
    (KERAS, "model.save('x.h5')"),
    (KERAS, "classify = keras.models.Sequential([])\nclassify.save('x.h5')"),
    (KERAS, "self.model.save_weights('x.h5')"),
    (KERAS, "keras.models.save_model(m, 'x')"),
    (KERAS, "tf.saved_model.save(m, 'x')"),
    (KERAS, "tf.train.Saver().save(s, 'x')\nsaver = tf.train.Saver()\nsaver.save(sess, 'x')"),
    (KERAS, "m.fit(callbacks=[keras.callbacks.ModelCheckpoint('x')])"),
    (KERAS, "callbacks = [keras.callbacks.ModelCheckpoint('x')]\nm.fit(callbacks=callbacks)"),
    (KERAS, "callbacks.append(keras.callbacks.ModelCheckpoint('x'))"),
    (KERAS, "manager = tf.train.CheckpointManager(c, 'd')\nmanager.save()"),
    (KERAS, "class E(keras.callbacks.Callback):\n    def on_epoch_end(self, e):\n        self.model.save('x')\nm.fit(callbacks=[E()])"),
    (KERAS, "with tf.train.MonitoredTrainingSession(checkpoint_dir='x') as s:\n    pass"),
    (KERAS, "estimator = tf.estimator.Estimator(f, model_dir='x')\nestimator.train(g)"),
    (KERAS, "def main(_):\n    model.save('x')\ntf.app.run()"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "body"), SAVED_BY_ALL)
def test_a_save_on_every_rank_is_reported(head, body):
    assert len(saves(head + body)) == 1


@pytest.mark.parametrize(("head", "body"), SAVED_BY_ALL)
@pytest.mark.parametrize(
    "guard", ["if hvd.rank() == 0:", "if not hvd.rank():", "if args.rank == 0:", "if is_chief:"]
)
def test_the_same_under_a_condition_on_the_rank_is_clean(head, body, guard):
    assert saves(f"{head}{guard}\n{textwrap.indent(body, '    ')}") == []


CLEAN = [
    (TORCH, "verbose = 1 if hvd.rank() == 0 else 0\nif verbose: torch.save(m, 'x')"),
    (TORCH, "root = hvd.rank() == 0\nsaves = root and args.save\nif saves: torch.save(m, 'x')"),
    (TORCH, "writer = W() if hvd.rank() == 0 else None\nif writer: torch.save(m, 'x')"),
    (TORCH, "def save():\n    if hvd.rank() != 0:\n        return\n    torch.save(m, 'x')\nsave()"),
    (TORCH, "def save():\n    torch.save(m, 'x')\nif hvd.rank() == 0: save()"),
    (TORCH, "def save(e):\n    if hvd.rank() == 0:\n        torch.save(m, 'x')\nfor e in x: save(e)"),
    (TORCH, "def save(flag):\n    if flag: torch.save(m, 'x')\nsave(hvd.rank() == 0)"),
    (TORCH, "def first():\n    return hvd.rank() == 0\nif first(): torch.save(m, 'x')"),
    (TORCH, "for e in range(3):\n    if hvd.rank(): continue\n    torch.save(m, 'x')"),
    (TORCH, "if hvd.rank() != 0:\n    hvd.shutdown()\n    sys.exit()\ntorch.save(m, 'x')"),
    (TORCH, "assert hvd.rank() == 0\ntorch.save(m, 'x')"),
    (TORCH, "hvd.rank() == 0 and torch.save(m, 'x')"),
    (TORCH, "torch.save(m, 'x') if hvd.rank() == 0 else None"),
    (TORCH, "x = torch.save(m, 'x') if hvd.rank() == 0 else None"),
    (TORCH, "torch.save(m, f'x-{hvd.rank()}.pt')"),
    (TORCH, "path = 'x-%d' % hvd.rank()\ntorch.save(m, path)"),
    (TORCH, "folder = os.path.join('x', str(hvd.rank()))\ntorch.save(m, make(folder))"),
    (TORCH, "@rank_zero_only\ndef save():\n    torch.save(m, 'x')\nsave()"),
    (TORCH, "from tools import is_main_process\nif is_main_process(): torch.save(m, 'x')"),
    (TORCH, "if os.environ['OMPI_COMM_WORLD_RANK'] == '0': torch.save(m, 'x')"),
    (TORCH, "if hvd.size() == 1: torch.save(m, 'x')"),
    (TORCH, "def helper():\n    torch.save(m, 'x')"),
    (TORCH, "class T:\n    def save(self):\n        torch.save(m, 'x')\nt = T()\nif hvd.rank() == 0: t.save()"),
    (TORCH, "match hvd.rank():\n    case 0: torch.save(m, 'x')"),
    (TORCH, "np.save('x', a)\nimage.save('x')\nplt.savefig('x')\nwandb.save('x')"),
    (TORCH, "from pytorch_lightning.callbacks import ModelCheckpoint\nc = [ModelCheckpoint('x')]\nf(c)"),
    (TORCH, "torch.save(m, io.BytesIO())\nb = io.BytesIO()\ntorch.save(m, b)"),
    (TORCH, "torch.save(m, '/tmp/x.pt')\nd = tempfile.mkdtemp()\ntorch.save(m, os.path.join(d, 'x'))"),
    (TORCH, "with open(f'x-{hvd.rank()}', 'wb') as f: torch.save(m, f)"),
    (TORCH, "files = all_files[hvd.rank()::hvd.size()]\nfor name in files: torch.save(m, name)"),
    (TORCH, "if hvd.size() > 1:\n    if hvd.rank() != 0:\n        sys.exit()\ntorch.save(m, 'x')"),
    (TORCH, "def stop():\n    hvd.shutdown()\n    sys.exit(0)\nif hvd.rank(): stop()\ntorch.save(m, 'x')"),
    (TORCH, "def one():\n    if hvd.rank() > 0:\n        sys.exit()\none()\ntorch.save(m, 'x')"),
    (TORCH, "one = lambda: hvd.rank() == 0\nif one(): torch.save(m, 'x')"),
    (TORCH, "class T:\n    def __init__(self, saves):\n        self.saves = saves\n    def end(self):\n        if self.saves: torch.save(m, 'x')\nT(hvd.rank() == 0).end()"),
    (TORCH, "def f(*, saves):\n    if saves: torch.save(m, 'x')\nf(saves=hvd.rank() == 0)"),
    (TORCH, "me = os.environ.get('PMI_RANK')\nif me == '0': torch.save(m, 'x')"),
    (TORCH, "me = int(os.getenv('SLURM_PROCID', 0))\nif not me: torch.save(m, 'x')"),
    (TORCH, "mine = is_main_process()\nif mine: torch.save(m, 'x')"),
    (TORCH, "on_rank_zero(lambda: torch.save(m, 'x'))"),
    (TORCH, "from horovod.torch import size\nif size() == 1: torch.save(m, 'x')"),
    (TORCH, "saver = Saver('x') if hvd.rank() == 0 else None\nif saver: saver.save(m)"),
    (TORCH, "if hvd.rank() == 0:\n    writer = W()\nelse:\n    writer = None\nif writer is not None: torch.save(m, 'x')"),
    (KERAS, "c = keras.callbacks.ModelCheckpoint('x')\nif hvd.rank() == 0: callbacks.append(c)"),
    (KERAS, "c = [keras.callbacks.ModelCheckpoint('x')] if hvd.rank() == 0 else []\nm.fit(callbacks=c)"),
    (KERAS, "c = [keras.callbacks.ModelCheckpoint('x')]\nm.fit(callbacks=b + (c if hvd.rank() == 0 else []))"),
    (KERAS, "c = [keras.callbacks.ModelCheckpoint('x')] * (hvd.rank() == 0)\nm.fit(callbacks=c)"),
    (KERAS, "class E(keras.callbacks.Callback):\n    def on_epoch_end(self, e):\n        self.model.save('x')\nif hvd.rank() == 0: callbacks.append(E())"),
    (KERAS, "d = 'x' if hvd.rank() == 0 else None\nwith tf.train.MonitoredTrainingSession(checkpoint_dir=d) as s: pass"),
    (KERAS, "d = None\nif hvd.rank() == 0: d = 'x'\nwith tf.train.MonitoredTrainingSession(checkpoint_dir=d) as s: pass"),
    (KERAS, "with tf.train.MonitoredTrainingSession(checkpoint_dir=None, hooks=h) as s: pass"),
    (KERAS, "with tf.train.MonitoredTrainingSession(hooks=h) as s: pass"),
    (KERAS, "tf.estimator.Estimator(f, 'x', model_dir=None).train(g)"),
    (KERAS, "c = {True: [keras.callbacks.ModelCheckpoint('x')], False: []}[hvd.rank() == 0]\nm.fit(callbacks=c)"),
    (KERAS, "c = [keras.callbacks.ModelCheckpoint('x')]\nif hvd.rank() != 0: c = []\nm.fit(callbacks=c)"),
    (KERAS, "c = [keras.callbacks.ModelCheckpoint('x')]\nif hvd.rank() != 0: c.pop()\nm.fit(callbacks=c)"),
    (TORCH, "info = {'me': hvd.rank()}\nif info['me'] == 0: torch.save(m, 'x')"),
    (TORCH, "info = dict(me=hvd.rank())\nif not info['me']: torch.save(m, 'x')"),
    (TORCH, "def who(): return {'me': hvd.rank()}\ninfo = who()\nif not info['me']: torch.save(m, 'x')"),
    (TORCH, "D = namedtuple('D', 'me all')\nd = D(hvd.rank(), hvd.size())\nif d.me == 0: torch.save(m, 'x')"),
    (TORCH, "if config['is_main']: torch.save(m, 'x')"),
    (TORCH, "world = hvd.size()\nif world == 1: torch.save(m, 'x')"),
    (TORCH, "alone = hvd.size() == 1\nif alone: torch.save(m, 'x')"),
    (TORCH, "class B:\n    def __init__(self, w):\n        self.w = w\nclass T(B):\n    def end(self):\n        if self.w: torch.save(m, 'x')\nT(hvd.rank() == 0).end()"),
    (TORCH, "@dataclass\nclass T:\n    w: bool\n    def end(self):\n        if self.w: torch.save(m, 'x')\nT(hvd.rank() == 0).end()"),
    (TORCH, "class T:\n    def __init__(self, **kw):\n        vars(self).update(kw)\n    def end(self):\n        if self.w: torch.save(m, 'x')\nT(w=hvd.rank() == 0).end()"),
    (TORCH, "def save(w, m):\n    if w: torch.save(m, 'x')\nf = partial(save, hvd.rank() == 0)\nf(m)"),
    (TORCH, "setattr(args, 'w', hvd.rank() == 0)\nif args.w: torch.save(m, 'x')"),
    (TORCH, "os.chdir(f'/data/{hvd.rank()}')\ntorch.save(m, 'x')"),
    (TORCH, "if hvd.rank(): os.chdir(tempfile.mkdtemp())\ntorch.save(m, 'x')"),
    (KERAS, "with tf.train.MonitoredTrainingSession(is_chief=hvd.rank() == 0, checkpoint_dir='x'): pass"),
    (KERAS, "d = 'x' if hvd.rank() == 0 else None\ne = tf.estimator.Estimator(f, model_dir=d)\ne.train(g)"),
    (TORCH, "def once(f):\n    def inner(*a):\n        if hvd.rank() == 0: f(*a)\n    return inner\n@once\ndef save():\n    torch.save(m, 'x')\nsave()"),
    (TORCH, "def on_first(f):\n    if hvd.rank() == 0: f()\ndef save():\n    torch.save(m, 'x')\non_first(save)"),
    (KERAS, "d = 'x' if hvd.rank() == 0 else '/tmp/%d' % hvd.rank()\nmanager = tf.train.CheckpointManager(c, d)\nmanager.save()"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "body"), CLEAN)
def test_a_save_that_one_rank_makes_is_left_alone(head, body):
    assert saves(head + body) == []


KERAS_MNIST = """
    from __future__ import print_function
    import math
    import tensorflow as tf
    import keras
    from keras import backend as K
    from keras.layers import Dense
    import horovod.keras as hvd

    hvd.init()
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = str(hvd.local_rank())
    K.set_session(tf.Session(config=config))
    epochs = int(math.ceil(12.0 / hvd.size()))
    model = keras.models.Sequential()
    model.add(Dense(10))
    opt = hvd.DistributedOptimizer(keras.optimizers.Adadelta(1.0 * hvd.size()))
    model.compile(loss="mse", optimizer=opt)
    callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
    if hvd.rank() == 0:
        callbacks.append(keras.callbacks.ModelCheckpoint('./checkpoint-{epoch}.h5'))
    model.fit(x, y, callbacks=callbacks, epochs=epochs, verbose=1 if hvd.rank() == 0 else 0)
"""
TORCH_IMAGENET = """
    import torch, argparse, os
    import horovod.torch as hvd
    from tqdm import tqdm

    def train(epoch):
        with tqdm(total=len(train_loader), disable=not verbose) as t:
            for data, target in train_loader:
                optimizer.step()
        if log_writer:
            log_writer.add_scalar('loss', 1, epoch)

    def save_checkpoint(epoch):
        if hvd.rank() == 0:
            filepath = args.checkpoint_format.format(epoch=epoch + 1)
            state = {'model': model.state_dict(), 'optimizer': optimizer.state_dict()}
            torch.save(state, filepath)

    if __name__ == '__main__':
        args = argparse.ArgumentParser().parse_args()
        hvd.init()
        torch.cuda.set_device(hvd.local_rank())
        resume_from_epoch = hvd.broadcast(torch.tensor(0), root_rank=0, name='resume').item()
        verbose = 1 if hvd.rank() == 0 else 0
        log_writer = SummaryWriter(args.log_dir) if hvd.rank() == 0 else None
        sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank())
        train_loader = torch.utils.data.DataLoader(dataset, sampler=sampler)
        for epoch in range(resume_from_epoch, args.epochs):
            train(epoch)
            save_checkpoint(epoch)
"""
TENSORFLOW_MNIST = """
    import tensorflow as tf
    import horovod.tensorflow as hvd

    def main(_):
        hvd.init()
        opt = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.001 * hvd.size()))
        hooks = [hvd.BroadcastGlobalVariablesHook(0), tf.train.StopAtStepHook(20000 // hvd.size())]
        checkpoint_dir = './checkpoints' if hvd.rank() == 0 else None
        with tf.train.MonitoredTrainingSession(checkpoint_dir=checkpoint_dir, hooks=hooks) as sess:
            while not sess.should_stop():
                sess.run(train_op)

    if __name__ == "__main__":
        tf.app.run()
"""
TENSORFLOW_2 = """
    import tensorflow as tf
    import horovod.tensorflow as hvd

    hvd.init()
    checkpoint = tf.train.Checkpoint(model=mnist_model, optimizer=opt)

    @tf.function
    def training_step(images, labels, first_batch):
        if first_batch:
            hvd.broadcast_variables(mnist_model.variables, root_rank=0)

    for batch, (images, labels) in enumerate(dataset.take(10000 // hvd.size())):
        training_step(images, labels, batch == 0)
    if hvd.rank() == 0:
        checkpoint.save(checkpoint_dir)
"""


@pytest.mark.parametrize("script", [KERAS_MNIST, TORCH_IMAGENET, TENSORFLOW_MNIST, TENSORFLOW_2])
def test_scripts_as_people_write_them_are_clean(script):
    found = examine(textwrap.dedent(script))
    wrapper = found.keras_wrapper  # Right with Keras 2.
    assert (wrapper is not None) == (script is KERAS_MNIST)
    assert found == ScriptFacts(
        found.horovod_line, initialises=True, saves=(), keras_wrapper=wrapper
    )


@pytest.mark.parametrize(
    ("script", "unguarded"),
    [
        (KERAS_MNIST.replace("if hvd.rank() == 0:", "if True:"), "callbacks.append"),
        (TORCH_IMAGENET.replace("if hvd.rank() == 0:", "if epoch:"), "torch.save"),
        (TENSORFLOW_2.replace("if hvd.rank() == 0:", "if True:"), "checkpoint.save"),
    ],
)
def test_the_same_without_their_condition_are_reported(script, unguarded):
    (line,) = saves(script)
    assert line.startswith(unguarded)


def test_a_save_has_its_place_and_its_name():
    (save,) = examine(TORCH + "if x:\n    torch.save(model, 'x')").saves
    assert save == Save(5, 5, "torch.save")


@pytest.mark.parametrize(
    ("script", "line", "column", "python2"),
    [
        ("x = (1,\ny = 2\n", 1, 5, False),
        ("a = 1\nprint 'x'\n", 2, 1, True),
        ("try: pass\nexcept A, e: pass\n", 2, 8, True),
        (b"# coding: nonsense\n", 1, 1, False),
        (b"x = '\xff'\n", 1, 1, False),
        ("x = '\ud800'", 1, 1, False),
    ],
)
def test_a_script_that_does_not_parse(script, line, column, python2):
    found = examine(script)
    assert isinstance(found, SyntaxProblem)
    assert (found.line, found.python2) == (line, python2)
    assert column in {found.column, 1}
    assert found.message


def test_nul_bytes_are_no_script():
    assert isinstance(examine("x = 1\0"), SyntaxProblem)


def test_odd_escapes_raise_no_warning():
    assert isinstance(examine(r"x = '\d'"), ScriptFacts)


@pytest.mark.parametrize(
    "script",
    [
        "x" * (MAX_LENGTH + 1),
        "-" * 100_000 + "1",
        "a" + "+a" * 100_000,
        TORCH + "x = a" + "+a" * 900 * 100,
        TORCH + "a" + ".b" * 100_000,
    ],
    ids=["long", "unary", "binary", "horovod-binary", "attributes"],
)
def test_what_is_too_big_is_not_judged(script):
    assert isinstance(examine(script), Unexamined)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        *("m.save(x)\n", "a.b" + ".c" * 300 + "\n", "a" + "*a" * 200 + "\n"),
        *("x = y\ny = hvd.rank()\n", "def f():\n  return f\n", "if hvd.rank(): x = 1\n"),
        "class A:\n  def f(self): A().f()\n",
    ],
)
def test_a_long_script_takes_linear_time(piece):
    script = TORCH + piece * ((MAX_LENGTH - 100) // len(piece) // 4)
    assert isinstance(examine(script), ScriptFacts)


LINES = st.sampled_from(
    [body for _, body in SAVED_BY_ALL + CLEAN]
    + TORCH.splitlines()
    + ["(", "if x:", "    pass", "\\"]
)


@given(st.text() | st.binary() | st.lists(LINES, max_size=8).map("\n".join))
def test_anything_can_be_examined(source):
    limit = sys.getrecursionlimit()
    assert isinstance(examine(source), ScriptFacts | SyntaxProblem | Unexamined)
    assert sys.getrecursionlimit() == limit


HVD = "import os, sys\nimport horovod.torch as hvd\n"


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("hvd.init\n", 3),
        ("def main():\n    hvd.init\n    print(hvd.rank())\nmain()", 4),
        ("from horovod.torch import init\ninit", 4),
        ("hvd.init\nhvd.init()", None),
        ("start = hvd.init\nstart()", None),
        ("run_first(hvd.init)", None),
    ],
)
def test_init_that_is_only_named_is_reported(script, line):
    found = examine(HVD + script)
    assert found.uncalled_init == line
    assert found.initialises == (line is None)


@pytest.mark.parametrize(
    ("script", "early"),
    [
        ("if hvd.rank() == 0: print('x')\nhvd.init()", (3, "hvd.rank")),
        ("rate = 0.1 * hvd.size()\ndef main():\n    hvd.init()\nmain()", (3, "hvd.size")),
        ("def main():\n    f(hvd.local_rank())\n    hvd.init()\nmain()", (4, "hvd.local_rank")),
        ("def f(n=hvd.cross_size()): pass\nhvd.init()", (3, "hvd.cross_size")),
        ("class A:\n    n = hvd.local_size()\nhvd.init()", (4, "hvd.local_size")),
        ("with open(str(hvd.rank())) as f: pass\nhvd.init()", (3, "hvd.rank")),
        ("for i in range(hvd.rank()): pass\nhvd.init()", (3, "hvd.rank")),
        ("while hvd.rank(): pass\nhvd.init()", (3, "hvd.rank")),
        ("[i for i in range(hvd.rank())]\nhvd.init()", (3, "hvd.rank")),
        ("x = hvd.rank() and 1\nhvd.init()", (3, "hvd.rank")),
        ("x = 1 if hvd.rank() else 2\nhvd.init()", (3, "hvd.rank")),
        ("from horovod.torch import rank\nprint(rank())\nhvd.init()", (4, "rank")),
        (
            (
                "def rank():\n    return hvd.rank()\nif __name__ == '__main__':\n"
                "    print(rank())\n    hvd.init()"
            ),
            (4, "hvd.rank"),
        ),
    ],
)
def test_a_question_before_init_is_reported(script, early):
    assert examine(HVD + script).early == early


@pytest.mark.parametrize(
    "script",
    [
        "hvd.init()\nprint(hvd.rank())",
        "print(hvd.gloo_built(), hvd.mpi_built())\nhvd.init()",
        "def main():\n    hvd.init()\n    print(hvd.rank())\nif __name__ == '__main__': main()",
        "def start():\n    hvd.init()\ndef main():\n    start()\n    print(hvd.rank())\nmain()",
        "def start():\n    hvd.init()\nclass A:\n    def __init__(self): start()\nA()\nhvd.rank()",
        "def rank():\n    return hvd.rank()\nhvd.init()\nprint(rank())",
        "if not hvd.is_initialized(): hvd.init()\nprint(hvd.rank())",
        "if hvd.is_initialized(): print(hvd.rank())\nhvd.init()",
        "try:\n    rank = hvd.rank()\nexcept ValueError:\n    hvd.init()",
        "try:\n    hvd.init()\nexcept Exception:\n    pass\nprint(hvd.rank())",
        "if args.resume: print(hvd.rank())\nhvd.init()",
        "args.horovod and hvd.init()\nprint(hvd.rank())",
        "rank = lambda: hvd.rank()\nhvd.init()",
        "ranks = (hvd.rank() for _ in x)\nhvd.init()",
        "def ranks():\n    yield hvd.rank()\nranks()\nhvd.init()",
        "@once\ndef rank():\n    return hvd.rank()\nrank()\nhvd.init()",
        "@hydra.main()\ndef main(c):\n    hvd.init()\nmain()\nprint(hvd.rank())",
        "from absl import app\ndef main(_):\n    hvd.init()\napp.run(main)\nprint(hvd.rank())",
        "import tensorflow as tf\ndef main(_):\n    hvd.init()\ntf.app.run()\nprint(hvd.rank())",
        "from tools import setup\nsetup(hvd)\nprint(hvd.rank())\nhvd.init()",
        "hvd = make()\nprint(hvd.rank())\nhvd.init()",
        "class A:\n    def rank(self): return hvd.rank()\nfrom tools import rank\nrank()\nhvd.init()",
        "def a():\n    sys.exit()\n    hvd.rank()\nhvd.init()\na()",
        "def a():\n    return\n    hvd.rank()\na()\nhvd.init()",
        "print(hvd.rank())",
    ],
)
def test_a_question_that_may_come_after_init_is_left_alone(script):
    assert examine(HVD + script).early is None


OUT = "out = os.environ['AZ_BATCHAI_OUTPUT_MODEL']\nargs = parser.parse_args()\n"


@pytest.mark.parametrize(
    ("script", "shared"),
    [
        ("if hvd.local_rank() == 0: torch.save(m, out + '/x')", True),
        ("first = not hvd.local_rank()\nif first: torch.save(m, f'{out}/x')", True),
        ("def save():\n    if hvd.local_rank() != 0: return\n    torch.save(m, out)\nsave()", True),
        ("if hvd.local_rank() == 0: torch.save(m, os.path.join(args.folder, 'x'))", ("folder",)),
        ("if hvd.local_rank() == 0: torch.save(m, 'x')", False),
        ("if hvd.rank() == 0: torch.save(m, out)", None),
        ("if hvd.local_rank() == 0 and hvd.cross_rank() == 0: torch.save(m, out)", None),
        ("local_rank = hvd.rank()\nif local_rank == 0: torch.save(m, out)", None),
        ("if args.local_rank == 0 and hvd.local_rank() == 0: torch.save(m, out)", None),
        ("if hvd.local_rank() == 0: torch.save(m, f'{out}/{hvd.rank()}')", None),
        ("if hvd.local_rank() == 0: torch.save(m, f'{out}/{socket.gethostname()}')", None),
        ("if hvd.local_rank() == 0: torch.save(m, '/tmp/x')", None),
        ("if hvd.local_rank() == 0:\n    if hostname == first: torch.save(m, out)", None),
    ],
)
def test_a_save_that_one_rank_of_each_node_makes(script, shared):
    found = examine(HVD + "import torch\nhvd.init()\n" + OUT + script)
    assert found.saves == ()
    assert [save.options or save.shared for save in found.node_saves] == (
        [] if shared is None else [shared]
    )


WRITES = [
    "np.save(out + '/x.npy', a)",
    "np.savez(file=f'{out}/x', a=a)",
    "open(os.path.join(out, 'x'), 'w').write('x')",
    "with open(out + '/x.json', mode='wt') as f: json.dump({}, f)",
    "with open(f'{args.folder}/x', 'wb') as f: pickle.dump({}, f)",
    "joblib.dump(m, os.path.join(args.folder, 'x'))",
    "(Path(out) / 'x').write_text('x')",
    "path = Path(out) / 'x'\npath = path / 'y'\nwith path.open('w') as f: f.write('x')",
    "for epoch in range(3): np.save(f'{out}/{epoch}.npy', a)",
    "for i in range(3): np.save(f'{out}/{i}.npy', a)",
    "frame.to_csv(os.path.join(out, 'x.csv'))",
    "def dump(path):\n    with open(path, 'w') as f: f.write('')\ndump(out + '/x')",
    (
        "class A:\n    def __init__(self, folder):\n        self.folder = folder\n    def end(self):\n"
        "        np.save(self.folder, a)\nA(out).end()"
    ),
]


@pytest.mark.parametrize("script", WRITES)
def test_a_file_that_every_rank_writes_is_reported(script):
    (write,) = examine(HVD + "hvd.init()\n" + OUT + script).writes
    assert write.shared or write.options == ("folder",)


@pytest.mark.parametrize("script", WRITES)
@pytest.mark.parametrize("guard", ["if hvd.rank() == 0:", "if is_chief:", "if first:"])
def test_the_same_file_by_one_rank_is_clean(script, guard):
    head = "hvd.init()\nimport mpi\nfirst = is_main_process()\n" + OUT
    assert examine(f"{HVD}{head}{guard}\n{textwrap.indent(script, '    ')}").writes == ()


@pytest.mark.parametrize(
    "script",
    [
        "open(out + '/x').read()",
        "open(out + '/x', 'rb').read()",
        "open(out + '/log.txt', 'a').write('x')",
        "open(out + '/done', 'x').close()",
        "open(out + f'/log-{hvd.rank()}.txt', 'w').write('x')",
        "rank = hvd.rank()\nname = 'log-%d' % rank\nopen(os.path.join(out, name), 'w')",
        "for name in names: np.save(f'{out}/{name}', a)",
        "for i in range(hvd.rank(), 100, hvd.size()): np.save(f'{out}/{i}', a)",
        "np.save(f'{out}/{name_of(shard)}', a)",
        "np.save(make(out), a)",
        "def dump(path): np.save(path, a)",
        "def dump(out): np.save(out, a)\npool.map(dump, names)",
        "pool.map(lambda out: np.save(out, a), names)",
        "args.folder = args.folder + f'/{hvd.rank()}'\nnp.save(args.folder + '/x', a)",
        "if not os.path.exists(out): np.save(out + '/x', a)",
        "with FileLock(out + '/lock'): np.save(out + '/x', a)",
        "out = tempfile.mkdtemp()\nnp.save(out + '/x', a)",
        "out = os.environ.get('AZ_BATCHAI_OUTPUT_X', '/tmp')\nnp.save(out + '/x', a)",
        "out = out + '/' + socket.gethostname()\nnp.save(out, a)",
        "tool.save(out, a)\nimage.save(out)",
        "out = os.path.join(out, str(uuid.uuid4()))\nnp.save(out, a)",
        "if hvd.rank() != 0:\n    open(os.devnull, 'w')\n    sys.exit()\nnp.save(out, a)",
    ],
)
def test_files_of_one_rank_are_left_alone(script):
    assert examine(HVD + "hvd.init()\n" + OUT + script).writes == ()


def test_a_file_that_a_checkpoint_is_written_into_is_reported_once():
    script = "with open(out, 'wb') as f:\n    torch.save(m, f)"
    found = examine(HVD + "import torch\nhvd.init()\n" + OUT + script)
    assert ([save.call for save in found.saves], found.writes) == (["torch.save"], ())


@pytest.mark.slow
def test_a_save_is_found_at_the_end_of_a_long_way():
    calls = "".join(f"def f{n}():\n    f{n + 1}()\n" for n in range(5000))
    script = f"{TORCH}def f5000():\n    torch.save(m, 'x')\n{calls}f0()\n"
    assert len(examine(script).saves) == 1
