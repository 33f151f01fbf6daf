"""Fixes made in texts: what they change, what they keep, and what is refused."""

import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.linter.fixes import apply_fixes, diff, fix_all
from bai.specs.findings import Edit, Finding, Fix, Severity, Span
from bai.specs.source.lines import Lines


def edit(line, column, length, text):
    return Edit(Span("f", line, column, line, column + length), text)


def fix(*edits):
    return Fix(tuple(edit(*each) for each in edits))


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        ("a: 1\nb: 2\n", (2, 1, 1, "bb"), "a: 1\nbb: 2\n"),
        ("a: 1\r\nb: 2", (2, 1, 1, "bb"), "a: 1\r\nbb: 2"),
        ("\ufeffa: 1 # ä\r\n", (1, 1, 1, "bb"), "\ufeffbb: 1 # ä\r\n"),
        ("a: 1\rb: 2\r", (2, 1, 1, "bb"), "a: 1\rbb: 2\r"),
        ("a: \N{PILE OF POO}\n", (1, 4, 1, "x"), "a: x\n"),
        ('{"a":\t1 }', (1, 3, 1, "b"), '{"b":\t1 }'),
        ("a: {x: 1}\n", (1, 5, 1, "y"), "a: {y: 1}\n"),
        ("a: abc\n", (1, 6, 1, ""), "a: ab\n"),
        ("a: 1 # why\n", (1, 5, 6, ""), "a: 1\n"),
        ("a: [1, 2, 3]\n", (1, 5, 3, ""), "a: [2, 3]\n"),
        ("a: 1\r\n", (1, 5, 0, "\nb: 2"), "a: 1\r\nb: 2\r\n"),
    ],
)
def test_all_else_is_kept(text, changes, expected):
    assert apply_fixes(text, [fix(changes)]) == (expected, 1)


def test_a_rename_may_touch_several_places():
    text = "mounts: {d: 1}\nuse: ${d}\n"
    assert apply_fixes(text, [fix((2, 8, 1, "data"), (1, 10, 1, "data"))]) == (
        "mounts: {data: 1}\nuse: ${data}\n",
        1,
    )


def test_of_two_that_overlap_the_first_is_made():
    text = "a: abcdef\n"
    first, second = fix((1, 4, 4, "x")), fix((1, 6, 4, "y"))
    assert apply_fixes(text, [first, second]) == ("a: xef\n", 1)
    assert apply_fixes(text, [second, first]) == ("a: aby\n", 1)
    both_at_once = fix((1, 4, 4, "x"), (1, 6, 4, "y"))
    assert apply_fixes(text, [both_at_once]) == (text, 0)


def test_a_fix_is_made_whole_or_not_at_all():
    text = "a: abc\nb: def\n"
    half = fix((1, 4, 3, "x"), (2, 4, 3, "y"))
    assert apply_fixes(text, [fix((2, 4, 3, "z")), half]) == ("a: abc\nb: z\n", 1)


@pytest.mark.parametrize(
    "changes",
    [
        (1, 4, 1, "["),  # unreadable
        (1, 4, 1, "1\na: 2"),  # a key twice
        (1, 5, 2, "\n# "),  # data behind it is lost
        (2, 1, 0, "  "),  # the line becomes a part of another value
        (2, 3, 1, ""),  # no colon any more
        (2, 1, 2, "- "),  # no mapping any more
        (3, 1, 2, ""),  # a value of its own moves up
        (9, 1, 0, "x"),  # no such line
        (1, 9, 0, "x"),  # no such column
        (1, 4, -2, "x"),  # backwards
    ],
)
def test_what_harms_other_data_is_refused(changes):
    text = "a: 1\nb: two\nc:\n  d: 1\n"
    assert apply_fixes(text, [fix(changes)]) == (text, 0)


def test_a_value_does_not_move_below_another_key():
    text = "a:\nb: two\n"
    assert apply_fixes(text, [fix((2, 1, 0, "  "))]) == (text, 0)


def test_a_comment_does_not_become_data():
    text = "a: 1\n# b: 2\n"
    assert apply_fixes(text, [fix((2, 1, 2, ""))]) == (text, 0)


def test_a_harmful_fix_does_not_stop_the_others():
    text = "a: 1\nb: 2\n"
    assert apply_fixes(text, [fix((1, 4, 1, "[")), fix((2, 4, 1, "3"))]) == ("a: 1\nb: 3\n", 1)


def test_values_used_twice_are_kept():
    text = "x: &x {a: 1}\ny: *x\nz: {<<: *x, b: 2}\n"
    assert apply_fixes(text, [fix((3, 13, 1, "c"))])[1] == 1
    assert apply_fixes(text, [fix((1, 8, 1, "c"))])[1] == 1
    assert apply_fixes(text, [fix((2, 1, 5, ""))])[1] == 1


def test_an_unreadable_file_may_be_fixed():
    assert apply_fixes("a:\tb\n\tc: 1\n", [fix((2, 1, 1, ""))])[0] == "a:\tb\nc: 1\n"


def test_rounds_go_on_until_nothing_is_left():
    def check(text):
        at = text.find("old")
        line = text.count("\n", 0, at) + 1
        if at < 0:
            return []
        change = fix((line, at - text.rfind("\n", 0, at), 3, "new"))
        return [Finding("BAI201", Severity.ERROR, "m", change.edits[0].span, None, change)]

    text = "a: old\nb: old\n"
    assert fix_all(text, check(text), check) == ("a: new\nb: new\n", 2, [])


def test_rounds_end_where_a_fix_brings_itself_back():
    found = [Finding("BAI201", Severity.ERROR, "m", None, None, fix((1, 4, 0, "x")))]
    text, count, left = fix_all("a: b\n", found, lambda text: found)
    assert (text, count, left) == (f"a: {'x' * count}b\n", count, found)


contents = st.lists(
    st.sampled_from(
        ["a: 1", "b: two # c", "c:", "  d: [1, 2]", "  - x", "e: |", "  t", "", "ä: 'q'"]
    )
)
breaks = st.sampled_from(["\n", "\r\n", "\r"])
places = st.integers(1, 8)
words = st.sampled_from(["", "x", " ", "\n", "y: 1", "# c", "[", "'", "- "])
edits = st.builds(
    lambda a, b, c, d, text: Edit(Span("f", a, b, a + c, b + d), text),
    *(places, places, st.integers(0, 1), st.integers(-2, 4), words),
)
fixes = st.lists(st.builds(Fix, st.lists(edits, min_size=1, max_size=2).map(tuple)), max_size=4)


@given(contents, breaks, st.booleans(), st.booleans(), fixes)
def test_any_fixes_leave_a_readable_file_and_all_outside_of_them(lines, end, mark, last, found):
    from bai.specs.syntax.reader import read

    text = "\ufeff" * mark + end.join(lines) + end * last
    new, count = apply_fixes(text, found)
    assert len(read(new, "f")[1]) <= len(read(text, "f")[1])
    if not count:
        assert new == text
    if len(found) == count == 1 and len(found[0].edits) == 1:
        span, at = found[0].edits[0].span, Lines(text)
        start, stop = at.offset(span.line, span.column), at.offset(span.end_line, span.end_column)
        assert new.startswith(text[:start])
        assert new.endswith(text[stop:])


@given(st.text(max_size=40), st.integers(0, 40))
def test_offsets_and_places_are_each_others_inverse(text, at):
    lines = Lines(text)
    at = min(max(at, lines.starts[0]), len(text))
    line, column = lines.place(at)
    if column <= len(lines.line(line)) + 1:
        assert lines.offset(line, column) == at
    assert lines.byte(at) == len(text[:at].encode("utf-8", "surrogatepass"))


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("a\nb\nc\n", "a\nx\nc\n"),
        ("a\r\nb\r\n", "a\r\nx\r\n"),
        ("a\nb", "a\nx"),
        ("a\nb", "a\nb\n"),
        ("a\x0bb\x85c\u2028d\n", "a\x0bx\x85c\u2028d\n"),
    ],
)
def test_a_diff_can_be_applied(text, new, tmp_path):
    (tmp_path / "f").write_bytes(text.encode())
    patch = diff(text, new, "f").encode()
    subprocess.run(["git", "apply", "-p0", "-"], input=patch, cwd=tmp_path, check=True)
    assert (tmp_path / "f").read_bytes() == new.encode()


def test_no_change_no_diff():
    assert diff("a\n", "a\n", "f") == ""
