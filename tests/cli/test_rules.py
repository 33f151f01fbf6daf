"""`bai rules` and `bai explain CODE`: what can be wrong, listed and explained."""

import json
import sys

import pytest

from bai.cli.render.rules import print_page
from bai.linter.pages.catalogue import catalogue
from bai.specs.codes import CODES

PAGE = """\
error BAI801 a job that is larger than its cluster

A job's nodes fit on its cluster.

Batch AI starts a job once all its nodes are free at the same time. A job that
is larger than its cluster would wait forever.

Wrong, under spec:

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
"""


def test_all_codes_are_listed_with_severity_and_title(bai):
    head, *lines = bai.run("rules").stdout.splitlines()
    assert head.split() == ["CODE", "SEVERITY", "TITLE"]
    listed = [tuple(line.split(maxsplit=2)) for line in lines]
    assert listed == [(each.code, each.severity, each.title) for each in CODES.values()]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("prefix", ["BAI80", "bai80", "80"])
def test_the_list_can_begin_with_some_digits(bai, prefix):
    lines = bai.run("rules", prefix).stdout.splitlines()[1:]
    wanted = [code for code in catalogue() if code.startswith("BAI80")]
    assert [line.split()[0] for line in lines] == wanted


@pytest.mark.parametrize("words", [("rules", "BAI801"), ("rules", "801"), ("explain", "bai801")])
def test_one_code_shows_its_page_as_wide_as_the_terminal(bai, words):
    shown = bai.run(*words, env={"COLUMNS": "80"}).stdout
    assert shown.startswith(PAGE)
    assert shown.endswith("Found by `bai lint`, `bai compile`, `bai diff` and `bai apply`.\n")


@pytest.mark.parametrize("code", catalogue())
def test_every_page_fits_on_80_columns(code, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    print_page(CODES[code], catalogue()[code].page, sys.stdout)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80


def test_json_holds_the_whole_page(bai):
    page = json.loads(bai.run("rules", "BAI801", "-o", "json").stdout)
    assert (page["code"], page["severity"]) == ("BAI801", "error")
    assert page["rule"] == "a job's nodes fit on its cluster"
    assert page["wrong"]["partOf"] == "spec"
    assert page["wrong"]["text"].startswith("clusters:")
    listed = json.loads(bai.run("rules", "BAI8", "-o", "json").stdout)
    assert page in listed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rules", "BAI100"), "no finding BAI100; the nearest codes are BAI101, BAI102, BAI103"),
        (("explain", "bai100"), "no finding BAI100; the nearest codes are BAI101, BAI102, BAI103"),
        (("explain", "BAI9999"), "no finding BAI9999: codes are BAI and three digits, as BAI203"),
        (("explain", "BAI77"), "no code begins with 'BAI77'; `bai rules` lists all"),
        (("rules", "x"), "no code begins with 'x'; `bai rules` lists all"),
        (("rules", "-o", "yaml"), "valid here: table, json"),
    ],
)
def test_what_is_no_code_is_reported(bai, words, said):
    assert said in bai.run(*words, code=2).stderr


def test_codes_of_shellcheck_lead_to_ours(bai):
    text = bai.run("explain", "sc1010").stdout
    assert text.startswith(
        "SC1010 is ShellCheck's own code: https://www.shellcheck.net/wiki/SC1010"
    )
    assert bai.run("explain", "BAI720").stdout in text


def test_explained_places_fit_the_terminal(bai):
    text = bai.run("explain", "cluster", env={"COLUMNS": "60"}).stdout
    assert max(map(len, text.splitlines())) <= 60
    assert "required. Number of nodes: an" in text


def test_mounts_are_explained_with_their_lines(bai):
    text = bai.run("explain", "job.mounts").stdout
    for line in ("azureFile://ACCOUNT", "azureBlob://ACCOUNT", "fileServer://NAME", "file:DIR"):
        assert line in text
