"""bai.keras on two real ranks: one run of ranks.py, and what each rank says of it."""

import json
import shutil
from pathlib import Path

import pytest

pytestmark = [pytest.mark.horovod, pytest.mark.tensorflow]

SCRIPT = Path(__file__).with_name("ranks.py")
SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: keras}
spec:
  jobs:
    train:
      code: .
      mounts: {results: azureFile:results}
      outputs: {FOUND: "${mounts.results}"}
      environment: {TF_CPP_MIN_LOG_LEVEL: 3}
      horovod: {script: ranks.py, processesPerNode: 2}
"""


@pytest.fixture(scope="module")
def ranks(shared_bai, keras_python):
    """What ranks 0 and 1 found, and what their job said."""
    shared_bai.context(slots=2, python=keras_python)
    (shared_bai.folder / "experiment.yaml").write_text(SPEC)
    shutil.copy(SCRIPT, shared_bai.folder)
    done = shared_bai.run("apply", "experiment.yaml")
    outputs = next(shared_bai.storage.rglob("outputs/0.json")).parent
    return [json.loads((outputs / f"{rank}.json").read_text()) for rank in (0, 1)], done.stdout


def of_both(ranks, *keys):
    """Return what both ranks found at a place, which must be the same."""
    found, _ = ranks
    for key in keys:
        found = [each[key] for each in found]
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize("epochs", ["after 2", "after 4"])
def test_ranks_that_begin_with_other_weights_end_with_the_same(ranks, epochs):
    assert of_both(ranks, "training", epochs, "state")


def test_a_model_without_weights_before_its_first_batch_gets_them_after_it(ranks):
    assert of_both(ranks, "late")


@pytest.mark.parametrize("optimizer", ["sgd", "adam clipped", "loss scale"])
def test_gradients_are_averaged_as_if_one_process_had_all_samples(ranks, optimizer):
    assert of_both(ranks, "averaging", optimizer) < 1e-5


def test_metrics_are_averaged_for_later_callbacks_and_the_history(ranks):
    found, _ = ranks
    own = [each["training"]["after 2"]["own"] for each in found]
    averaged = of_both(ranks, "training", "after 2", "averaged")
    for epoch, metrics in enumerate(averaged):
        assert own[0][epoch]["loss"] != own[1][epoch]["loss"]
        for name in ("loss", "mae"):
            mean = (own[0][epoch][name] + own[1][epoch][name]) / 2
            assert metrics[name] == pytest.approx(mean)
    assert [each["loss"] for each in averaged] == of_both(ranks, "training", "after 2", "history")


def test_the_learning_rate_warms_up_from_one_rank_s_to_that_of_all(ranks):
    rates = of_both(ranks, "training", "after 2", "rates")
    # 24 samples in batches of 6 for two epochs: the rate doubles in eight steps.
    assert rates == pytest.approx([0.01 * (1 + step / 8) for step in range(1, 9)])
    assert "finished gradual learning rate warmup to 0.02." in ranks[1]
    assert set(of_both(ranks, "training", "after 4", "rates")) == {rates[-1]}


def test_training_resumes_with_the_optimizer_s_state(ranks):
    for epochs, initial, steps in (("after 2", 0, 8), ("after 4", 2, 16)):
        assert of_both(ranks, "training", epochs, "initial epoch") == initial
        assert of_both(ranks, "training", epochs, "steps") == steps
    assert len(of_both(ranks, "training", "after 4", "averaged")) == 2


def test_a_saved_model_loads_with_plain_keras(ranks):
    assert ranks[0][0]["saved"] == {
        "module": "keras.optimizers",
        "class": "Adam",
        "plain": True,
        "steps": 16,
    }


def test_epochs_are_reported(ranks):
    assert "metrics" in ranks[1]
    assert "mae" in ranks[1]


def test_values_are_reduced_gathered_and_sent(ranks):
    assert of_both(ranks, "values") == {"sum": 3.0, "gathered": [0, 1, 1], "sent": [1]}


def test_what_can_not_be_served_is_refused_with_a_way_out(ranks):
    said = ranks[0][0]["refused"]
    assert said["twice"] == "ValueError: this SGD is distributed already"
    assert said["name"].startswith("TypeError: an optimizer of Keras 3 is expected")
    assert "DistributedOptimizer(keras.optimizers.LossScaleOptimizer(optimizer))" in said["scaled"]
    assert "model.compile(..., jit_compile=False)" in said["jit"]
    assert "was saved without an optimizer" in said["plain"]


def test_why_horovod_s_own_wrapper_does_not_do(ranks):
    own = [each["horovod"] for each in ranks[0]]
    if own[0] == own[1]:
        pytest.skip("this Horovod averages gradients with this Keras")
