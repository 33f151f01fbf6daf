"""bai metrics: tables, curves and data, and what it says where there is nothing."""

import csv
import io
import json

import pytest
from terminal import Terminal

LINES = [
    '{"time": 10, "step": 1, "rank": 0, "loss": 4, "accuracy": 0.5}',
    '{"time": 10, "step": 1, "rank": 1, "loss": 4.5, "accuracy": 0.5}',
    '{"time": 12, "step": 2, "rank": 0, "loss": 2, "accuracy": 0.25}',
    '{"time": 12, "step": 2, "rank": 1, "loss": 2.5, "accuracy": 0.25}',
]
REPORTED = ("loss", "accuracy", "bai/step_seconds")
"""What is always there: what bai measures of a rank depends on how long it runs."""
TABLE = """METRIC            RANK  STEP  NEWEST  LOWEST  HIGHEST
loss              0     2     2       2       4
loss              1     2     2.5     2.5     4.5
accuracy                2     0.25    0.25    0.5
bai/step_seconds        2     2       2       2
"""


@pytest.fixture
def train(bai):
    """The job `train`, which has reported `LINES`."""
    return reported(bai, LINES)


def reported(bai, lines, name="train"):
    (bai.folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    command = f"cat {bai.folder}/{name}.jsonl >> $BAI_METRICS_FILE"
    bai.run("apply", bai.write(bai.custom(name, command), name=f"{name}.yaml"))
    return bai


def test_the_table_has_a_row_for_each_metric_and_for_ranks_that_differ(train):
    assert train.run("metrics", "train", *REPORTED).stdout == TABLE
    assert train.run("metrics", "train").stdout.split("\n", 1)[1].startswith("loss")
    only = train.run("metrics", "train", "loss").stdout.splitlines()
    assert [line.split()[0] for line in only] == ["METRIC", "loss", "loss"]
    # A column that says nothing is left out.
    some = train.run("metrics", "train", "acc*").stdout
    assert some.splitlines()[0].split() == ["METRIC", "STEP", "NEWEST", "LOWEST", "HIGHEST"]


def test_an_attempt_is_chosen_by_its_number(train):
    again = [line.replace('"loss": 4', '"loss": 8') for line in LINES]
    (train.folder / "train.jsonl").write_text("\n".join(again) + "\n")
    train.run("apply", "train.yaml", "--rerun")
    assert "4.5" in train.run("metrics", "train", "loss", "--attempt", "1").stdout
    assert train.run("metrics", "train", "loss", "--attempt", "2").stdout == (
        train.run("metrics", "train", "loss").stdout
    )
    rows = train.run("metrics", "train", "loss", "--attempt", "1", "-o", "csv").stdout
    assert rows.splitlines()[1] == "train (attempt 1),0,loss,1,10.0,4.0"
    missing = train.run("metrics", "train", "--attempt", "3", code=2).stderr
    assert missing == "error: the job train has no attempt 3 (valid here: 1, 2)\n"
    reported(train, LINES, "other")
    several = train.run("metrics", "train", "other", "--attempt", "1", code=2).stderr
    assert "several jobs can't have it: say one job, or leave it out" in several


def test_of_very_many_ranks_the_extremes_have_rows(bai):
    lines = [f'{{"rank": {rank}, "loss": {abs(rank - 30)}}}' for rank in range(64)]
    shown = reported(bai, lines).run("metrics", "train", "loss").stdout.splitlines()
    assert [line.split()[1:3] for line in shown[1:3]] == [["30", "0"], ["63", "33"]]
    assert shown[3].endswith("-o csv has all")


def test_data_is_long_with_stable_columns(train):
    text = train.run("metrics", "train", "loss", "-o", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert text.startswith("job,rank,name,step,time,value\ntrain,0,loss,1,10.0,4.0\n")
    found = json.loads(train.run("metrics", "train", "loss", "-o", "json").stdout)
    assert len(found) == len(rows) == 4
    assert found[3] == {
        "job": "train",
        "rank": 1,
        "name": "loss",
        "step": 2,
        "time": 12.0,
        "value": 2.5,
    }


def test_what_is_not_a_number_is_null_in_json(bai):
    reported(bai, ['{"loss": NaN}', '{"loss": Infinity}'])
    found = json.loads(
        bai.run("metrics", "train", "loss", "-o", "json").stdout, parse_constant=pytest.fail
    )
    assert [each["value"] for each in found] == [None, None]
    assert "no value is a number" in bai.run("metrics", "train", "loss", "--plot").stdout


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_curves_fit_and_need_no_colour(train, columns):
    reported(train, LINES, "other")
    shown = train.run("metrics", "train", "other", "--plot", env={"COLUMNS": str(columns)}).stdout
    assert "\x1b" not in shown
    lines = shown.splitlines()
    assert max(map(len, lines)) <= columns
    assert "  o train" in shown
    assert "x other" in shown
    # Two pictures stand beside each other where there is room.
    assert (lines[0].split() == ["loss", "accuracy"]) == (columns == 200)
    if columns == 200:
        assert len(lines) < 20


def test_curves_on_a_terminal_are_coloured_unless_that_is_not_wanted(train):
    for no_colour in ("", "1"):
        train.environment["NO_COLOR"] = no_colour
        terminal = Terminal(train, "metrics", "train", "loss", "--plot")
        assert terminal.end() == 0
        assert ("\x1b[" in terminal.text) == (not no_colour)
        assert "rank 1" in terminal.text


def test_curves_in_an_encoding_without_dots_are_ascii(train):
    shown = train.run("metrics", "train", "--plot", env={"PYTHONIOENCODING": "ascii"}).stdout
    assert shown.isascii()
    assert "\\u" not in shown
    assert "o rank 0" in shown


def test_jobs_come_first_and_a_metric_may_be_called_as_one(train):
    reported(train, ['{"train": 1, "loss": 3}'], "other")
    both = train.run("metrics", "train", "other", "loss").stdout
    assert [line.split()[:2] for line in both.splitlines()[1:]] == [
        ["train", "loss"],
        ["train", "loss"],
        ["other", "loss"],
    ]
    assert "METRIC" in train.run("metrics", "other", "metric/train").stdout.splitlines()[0]
    assert train.run("metrics", "other", "metric/train").stdout.count("\n") == 2


def test_sweeps_are_their_members(bai):
    bai.context(slots=2)
    text = (
        '    train:\n      custom: {command: "echo \'{\\"loss\\": ${parameters.x}}\' >> '
        '$BAI_METRICS_FILE"}\n      sweep:\n        grid: {x: [1, 2]}\n'
    )
    spec = bai.write(text)
    spec.write_text(spec.read_text().replace("spec:\n", "spec:\n  parameters: {x: 0}\n"))
    bai.run("apply", spec)
    shown = bai.run("metrics", "sweep/train", "loss").stdout.splitlines()
    assert {tuple(line.split()[1:3]) for line in shown[1:]} == {("loss", "1"), ("loss", "2")}
    assert "x=2" in bai.run("metrics", "train", "loss", "--plot").stdout


def test_what_is_missing_is_said(bai, train):
    said = train.run("metrics", "trian", code=2).stderr
    assert "there is no job 'trian'" in said
    assert "did you mean train?" in said
    said = train.run("metrics", "train", "los", code=2).stderr
    assert said == "error: there is no metric 'los' (did you mean loss?)\n"
    assert "-o" in train.run("metrics", "train", "--plot", "-o", "csv", code=2).stderr
    never = bai.custom("silent", "true", preparation="false")
    bai.run("apply", bai.write(never, name="silent.yaml"), code=1)
    said = bai.run("metrics", "silent", code=2).stderr
    assert said == (
        "error: job/silent has no metrics yet: a script reports them with "
        "`bai.metrics.report(step=..., loss=...)`, or writes TensorBoard event files to an output\n"
    )
