"""`bai report`: one page about a job or a sweep, whole without any other file."""

import re
from html.parser import HTMLParser

import pytest

SWEEP = """apiVersion: bai/v1
kind: Experiment
metadata: {name: search}
spec:
  jobs:
    train:
      custom: {command: "test $SEED != 2"}
      sweep: {grid: {environment.SEED: {from: 1, to: 3}}, concurrency: 2}
"""
FETCHING = {"src", "href", "srcset", "action", "data", "poster"}
VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """A page that was parsed: its text, and what it would fetch."""

    def __init__(self, html):
        super().__init__()
        self.words, self.fetched, self.open = [], [], []
        self.feed(html)
        self.close()
        self.text = re.sub(r"\s+", " ", " ".join(self.words))

    def handle_starttag(self, tag, attrs):
        self.fetched += [value for name, value in attrs if name in FETCHING and value[0] != "#"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)
        else:
            assert "url(" not in data
            assert "@import" not in data


def page_of(path):
    html = path.read_text()
    page = Page(html)
    assert page.open == []
    assert page.fetched == []
    assert "<script" not in html
    return page


@pytest.fixture
def failed(bai):
    """A job of two nodes that has failed."""
    bai.context(slots=2)
    command = "echo '<b>no memory</b>' >&2; exit 3"
    bai.run("apply", bai.write(bai.custom("train", command, preparation="echo ready")), code=1)
    return bai


def test_a_failed_job_is_shown_with_its_reason_first(failed):
    assert failed.run("report", "train").stdout == "wrote train.report.html\n"
    page = page_of(failed.folder / "train.report.html")
    assert page.text.index("JobFailed") < page.text.index("Timeline")
    assert "<b>no memory</b>" in page.text
    for phrase in ("Last lines of its process", "1 node, 1 process", "exit code 3", "preparing"):
        assert phrase in page.text
    assert "command: echo" in page.text
    assert "stderr.txt" in page.text


def test_a_report_goes_where_it_is_asked_for(failed):
    failed.run("report", "train", "-o", failed.folder / "other.html")
    assert page_of(failed.folder / "other.html")
    done = failed.run("report", "train", "-o", failed.folder / "no/such.html", code=2)
    assert (
        done.stderr
        == f"error: can't write {failed.folder}/no/such.html: No such file or directory\n"
    )


def test_each_attempt_has_a_report(failed):
    failed.run("apply", "experiment.yaml", "--rerun", code=1)
    failed.run("report", "train", "--attempt", 1)
    assert "1 (" in page_of(failed.folder / "train.report.html").text
    done = failed.run("report", "train", "--attempt", 3, code=2)
    assert "attempt" in done.stderr


def test_values_of_secrets_are_not_shown(bai):
    bai.context(slots=2)
    spec = bai.write(bai.custom("train", "true", secrets="{TOKEN: env:TOKEN}"))
    bai.run("apply", spec, env={"TOKEN": "s3cr3t-value"})
    bai.run("report", "train")
    assert "s3cr3t-value" not in (bai.folder / "train.report.html").read_text()


def test_a_job_that_waits_has_a_report(bai):
    bai.context(slots=2)
    jobs = bai.custom("first", "sleep 1000", nodeCount=2) + bai.custom("second", "true")
    bai.run("apply", "-d", bai.write(jobs))
    bai.run("report", "second")
    page = page_of(bai.folder / "second.report.html")
    assert "queued" in page.text
    bai.run("cancel", "first", "second")


def test_a_sweep_shows_its_jobs_and_those_that_failed(bai):
    bai.context(slots=2)
    (bai.folder / "sweep.yaml").write_text(SWEEP)
    bai.run("apply", "sweep.yaml", code=1)
    bai.run("report", "train")
    page = page_of(bai.folder / "train.sweep.report.html")
    assert "2 succeeded, 1 failed" in page.text
    assert "environment.SEED=2" in page.text
    assert page.text.count("JobFailed Job failed") == 1


def test_metrics_are_curves_and_a_table(bai):
    pytest.importorskip("matplotlib")
    bai.context(slots=2)
    command = 'for n in 3 2 1; do echo "{\\"step\\": $((4 - n)), \\"loss\\": $n}"; done'
    bai.run("apply", bai.write(bai.custom("train", f"({command}) >> $BAI_METRICS_FILE")))
    bai.run("report", "train")
    page = page_of(bai.folder / "train.report.html")
    assert "<svg" in (bai.folder / "train.report.html").read_text()
    assert "loss 3 1 1 3" in page.text


def test_what_is_not_there_has_no_report(failed):
    done = failed.run("report", "trian", code=2)
    assert "did you mean train?" in done.stderr
