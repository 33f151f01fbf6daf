"""Comments that suppress findings: which they take, and what is said about the comments."""

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bai.linter.driver.linter import Linter
from bai.linter.suppressions.apply import apply
from bai.linter.suppressions.directives import directives
from bai.specs.findings import Finding, Severity, Span


def finding(code, line, file="f"):
    return Finding(code, Severity.ERROR, "m", Span(file, line, 1, line, 2))


def left(text, *found, **more):
    """Return (code, line) of what is left of (code, line) pairs."""
    kept = apply([finding(*item) for item in found], text, "f", **more)
    return [(item.code, item.span.line) for item in kept]


def fixed(text, *found):
    """Return the text after the fixes, and the messages."""
    from bai.linter.fixes import apply_fixes

    kept = apply([finding(*item) for item in found], text, "f")
    fixes = [item.fix for item in kept if item.fix]
    return apply_fixes(text, fixes)[0], [item.message for item in kept]


@pytest.mark.parametrize(
    "text",
    [
        "a: 1 # bai: ignore[BAI203] because",
        "a: 1 #bai:ignore[BAI203]",
        "a: 1 # bai: ignore[BAI601, BAI2] because",
        "a: 1 # as told # bai: ignore[BAI203]",
        "# bai: ignore[BAI203]\n\n# more\na: 1",
        "b: 1\na: # bai: ignore[BAI203]\n  - 1",
        "# bai: ignore-file[BAI203] because\nb: 1\na: 1",
        "---\n# bai: ignore-file[BAI203] because\nb: 1\n---\na: 1",
        "\ufeffa: 1 # bai: ignore[BAI203]\r\n",
        "b: 1\ra: 1 # bai: ignore[BAI203]\r",
        '{"b": 1,\n"a": 1 # bai: ignore[BAI203]\n}',
    ],
)
def test_a_comment_suppresses_what_starts_on_its_line(text):
    line = next(
        n for n, t in enumerate(text.splitlines(), 1) if t.lstrip('\ufeff"').startswith("a")
    )
    assert ("BAI203", line) not in left(text, ("BAI203", line))
    assert ("BAI501", line) in left(text, ("BAI501", line))


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("a: | # bai: ignore[BAI203]\n  x\n\n  y\nb: 1\n", [1, 2, 4], [5]),
        ("a: 'x\n  y' # bai: ignore[BAI203]\nb: 1\n", [1, 2], [3]),
        ("a: x\n  y # bai: ignore[BAI203]\nb: 1\n", [1, 2], [3]),
        ("# bai: ignore[BAI203]\na: >-\n  x\n  y\nb: 1\n", [2, 3, 4], [5]),
        ("a: # bai: ignore[BAI203]\n  b: 1\n", [1], [2]),
    ],
)
def test_the_lines_of_one_text_belong_together(text, inside, outside):
    for line in inside:
        assert left(text, ("BAI203", line)) == []
    for line in outside:
        assert ("BAI203", line) in left(text, ("BAI203", line))


@pytest.mark.parametrize(
    "text",
    [
        "a: '# bai: ignore[BAI203]'",
        'a: "x # bai: ignore[BAI203]"',
        "a: x#bai: ignore[BAI203]".replace("bai: ", "bai:"),
        'a: "x\n  # bai: ignore[BAI203]"',
        json.dumps({"a": "# bai: ignore[BAI203]"}),
        json.dumps(["# bai: ignore[BAI203]"], indent=1),
        "a: 1 # ignore[BAI203]",
        "a: 1 # bai ignores BAI203 here",
        "a: 1 # bai: see BAI203",
        "a: 1 # bai lint finds [BAI203]",
        "a: 'x # bai: ignor[BAI203]'",
        json.dumps({"a": "# BAI: ignor[BAI203]"}),
    ],
)
def test_what_only_looks_like_a_comment_suppresses_nothing(text):
    assert directives(text, "f").suppressions == []
    for line in range(1, text.count("\n") + 2):
        assert left(text, ("BAI203", line)) == [("BAI203", line)]


@pytest.mark.parametrize(
    ("text", "lines", "comments"),
    [
        ("a: |\n  # bai: ignore[BAI203]\n  x # bai: ignore[BAI2]\nb: 1\n", [1, 2, 3], [2, 3]),
        ("a: >-  # note\n\n  x\n\n  # bai: ignore[BAI203] why\nb: 1\n", [1, 3, 5], [5]),
        ("a: |\n  # bai: ignore[BAI501]\nb: |\n  # bai: ignore[BAI203]\n", [3, 4], [4]),
        ("a: |\n  # bai: ignore\nb: 1\n", [1, 2], []),
        ("a: |\n  # bai: ignore-file[BAI203]\nb: 1\n", [1, 2], []),
    ],
)
def test_a_comment_in_a_text_is_reported_where_it_would_be_of_use(text, lines, comments):
    assert directives(text, "f").suppressions == []
    reported = [("BAI903", line) for line in comments]
    for line in lines:
        assert left(text, ("BAI203", line)) == [("BAI203", line), *reported]
    # A suppression of what was not found is not missed.
    outside = text.count("\n") + 1
    assert left(text, ("BAI203", outside), ("BAI601", 1)) == [("BAI203", outside), ("BAI601", 1)]
    elsewhere = finding("BAI203", 2, "other")
    assert apply([elsewhere], text, "f") == [elsewhere]


def test_a_comment_in_a_text_gets_the_place_where_to_go():
    text = "b: 1\na: |\n  x # bai: ignore[BAI203] why\n"
    (_, reported) = apply([finding("BAI203", 3)], text, "f")
    assert (reported.span.line, reported.span.column) == (3, 5)
    assert reported.hint == "write it on line 2, behind the | or > that begins the text"
    assert left(text.replace("|", "| # bai: ignore[BAI203]"), ("BAI203", 3)) == []


def test_findings_of_other_files_and_of_no_file_stay():
    text = "a: 1 # bai: ignore[BAI203]"
    other = finding("BAI203", 1, "other")
    nowhere = Finding("BAI203", Severity.ERROR, "m", None)
    assert apply([other, nowhere], text, "f")[:2] == [other, nowhere]


def test_a_file_with_a_syntax_error_is_not_suppressed_in():
    text = "a: 1 # bai: ignore[BAI203, BAI101]\nb: [\n"
    assert left(text, ("BAI101", 2), ("BAI203", 1)) == [("BAI101", 2), ("BAI203", 1)]


def test_a_suppression_of_nothing_is_reported_and_removed():
    assert fixed("a: 1 # bai: ignore[BAI203] why\nb: 1\n") == (
        "a: 1\nb: 1\n",
        ["no finding BAI203 here to ignore"],
    )
    assert fixed("a: 1\n  # bai: ignore[BAI2]\r\nb: 1\n")[0] == "a: 1\nb: 1\n"
    assert fixed("a: 1 # note # bai: ignore[BAI2] why\n")[0] == "a: 1 # note\n"
    assert fixed("a: 1\n# bai: ignore[BAI2]")[0] == "a: 1\n"
    text = "a: 1 # bai: ignore[BAI2, BAI5, BAI601] why\n"
    assert fixed(text, ("BAI501", 1))[0] == "a: 1 # bai: ignore[BAI5] why\n"
    text = "a: 1 # bai: ignore[BAI2] # bai: ignore[BAI5] why\n"
    assert fixed(text, ("BAI501", 1))[0] == "a: 1 # bai: ignore[BAI5] why\n"
    assert fixed(text, ("BAI203", 1))[0] == "a: 1 # bai: ignore[BAI2]\n"


def test_two_comments_for_the_same_finding_are_both_of_use():
    text = "# bai: ignore-file[BAI2]\n# bai: ignore[BAI203]\na: 1 # bai: ignore[BAI203]\n"
    assert left(text, ("BAI203", 3)) == []


def test_what_was_not_looked_for_is_not_called_unused():
    text = "a: 1 # bai: ignore[BAI5]\nb: 1 # bai: ignore[BAI601]\n"
    assert left(text, unchecked=["BAI501"]) == [("BAI901", 2)]


def test_unknown_codes_are_reported():
    text = "a: 1 # bai: ignore[BAI999, E501, bai203, BAI]\n"
    found = apply([], text, "f")
    assert [(f.code, f.span.column, f.hint) for f in found] == [
        ("BAI902", 20, "`bai rules` lists the codes"),
        ("BAI902", 28, "`bai rules` lists the codes"),
        ("BAI902", 34, "write BAI203"),
        ("BAI902", 42, "`bai rules` lists the codes"),
    ]


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# bai: ignore", "must name the codes"),
        ("# bai: ignore BAI203", "must name the codes"),
        ("# bai: ignore[]", "must name the codes"),
        ("# bai: ignore[BAI203", "must name the codes"),
        ("# bai: ignore-file", "must name the codes"),
        ("# bai: ignore-next[BAI203]", "there is no `ignore-next`"),
        ("# bai: ignore-file[BAI203]", "above the first line with content"),
    ],
)
def test_a_suppression_that_can_not_work_is_reported(comment, message):
    text = f"b: 1\na: 1 {comment}\n"
    found = apply([finding("BAI203", 2)], text, "f")
    assert [item.code for item in found] == ["BAI203", "BAI903"]
    assert message in found[1].message


@pytest.mark.parametrize(
    ("slip", "right"),
    [
        ("# bai: ignor[BAI203] why", "# bai: ignore[BAI203] why"),
        ("# bai: ignored[BAI203]", "# bai: ignore[BAI203]"),
        ("# BAI: ignore[BAI203]", "# bai: ignore[BAI203]"),
        ("# Bai: Ignore[bai203]", "# bai: ignore[BAI203]"),
        ("# bai ignore[BAI203] why", "# bai: ignore[BAI203] why"),
        ("# bai ignore BAI203 why", "# bai: ignore[BAI203] why"),
        ("#bai:ingore [ BAI203,BAI5 ]: why", "# bai: ignore[BAI203, BAI5]: why"),
        ("# bai: disable[BAI203]", "# bai: ignore[BAI203]"),
        ("# bai: ignore_files[BAI203]", "# bai: ignore-file[BAI203]"),
        ("# note # BAI: ignore[BAI203]", "# note # bai: ignore[BAI203]"),
    ],
)
def test_a_misspelt_suppression_is_reported_and_fixed(slip, right):
    text = f"b: 1\na: 1 {slip}\n"
    kept = apply([finding("BAI203", 2)], text, "f")
    assert [item.code for item in kept] == ["BAI203", "BAI904"]
    assert kept[1].message.endswith("` suppresses nothing")
    assert kept[1].hint in {f"write {right[: right.index(']') + 1]}", "write # bai: ignore[BAI203]"}
    assert fixed(text, ("BAI203", 2))[0] == f"b: 1\na: 1 {right}\n"


@pytest.mark.parametrize("slip", ["# bai:ignore BAI203 why", "# bai: ignore(BAI203) why"])
def test_codes_without_brackets_get_them(slip):
    text = f"a: 1 {slip}\n"
    (_, reported) = apply([finding("BAI203", 1)], text, "f")
    assert (reported.code, reported.hint) == ("BAI903", "write # bai: ignore[BAI203]")
    assert fixed(text, ("BAI203", 1))[0] == "a: 1 # bai: ignore[BAI203] why\n"


def test_a_misspelt_suppression_of_an_unknown_code_is_not_made_one():
    (reported,) = apply([], "a: 1 # bai: ignor[BAI999]\n", "f")
    assert (reported.code, reported.fix) == ("BAI904", None)


def test_a_suppression_needs_no_reason():
    assert left("a: 1 # bai: ignore[BAI203]", ("BAI203", 1)) == []


@pytest.mark.parametrize(
    "comment", ["# BAI: ignore[BAI8]", "#bai ignor[BAI8]", "# Bai: ignor[BAI8]"]
)
def test_a_misspelt_suppression_is_found_in_a_whole_file(comment):
    text = f"properties: {{nodeCount: 1}} {comment}\n".encode()
    assert "BAI904" in [found.code for found in Linter().content(text, "job.yaml").findings]


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ["# bai", "# bai ", "# bai: ignore BAI2,", "#", "# bai: ignor[BAI2] "]
)
def test_one_long_line_of_comments_takes_linear_time(part):
    apply([], f"a: 1 {part * 4_000}\n", "f")


@pytest.mark.slow
def test_many_comments_in_texts_take_linear_time():
    text = "- |\n  # bai: ignore[BAI2] # bai: ignore[BAI203]\n" * 10_000
    found = [finding("BAI203", line) for line in range(1, 20_001)]
    kept = apply(found, text, "f")
    assert len(kept) == 20_000 + 20_000


@pytest.mark.slow
def test_many_comments_take_linear_time():
    text = "- a: 1 # bai: ignore[BAI2] # bai: ignore[x\n" * 20_000
    found = [finding("BAI203", line) for line in range(1, 20_001)]
    kept = apply(found, text, "f")
    assert {item.code for item in kept} == {"BAI903"}


MARK = "# bai: ignore[BAI203]"
scalars = st.one_of(
    st.integers(),
    st.none(),
    st.lists(st.sampled_from(["a", " ", "\n", MARK, "#", "'", '"', ": ", "\t", "ä"])).map("".join),
)
trees = st.recursive(
    scalars, lambda t: st.lists(t, max_size=3) | st.dictionaries(scalars.map(str), t, max_size=3)
)


@given(trees, st.sampled_from([None, "'", '"', "|", ">"]), st.booleans())
def test_text_in_values_is_never_a_comment(tree, style, flow):
    text = yaml.safe_dump({"k": tree}, default_style=style, default_flow_style=flow, width=30)
    assert directives(text, "f").suppressions == []
    (found,) = directives(f"{text}{MARK}\n", "f").suppressions
    assert found.span.line == text.count("\n") + 1
