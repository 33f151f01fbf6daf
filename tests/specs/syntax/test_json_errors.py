"""Slips of the hand in JSON: what is said of them, where, and what to do."""

import json

import pytest
from linting import lint

from bai.linter.environment import LintEnvironment

JOB = """\
{
  "properties": {
    "nodeCount": 2,
    "customToolkitSettings": {
      "commandLine": "ls -l"
    },
    "inputDirectories": [
      {"id": "A", "path": "/a"},
      {"id": "B", "path": "/b"}
    ],
    "stdOutErrPathPrefix": "/tmp"
  }
}
"""
COUNT = '"nodeCount": 2,'
COMMAND = '"commandLine": "ls -l"'
LAST = '"stdOutErrPathPrefix": "/tmp"'
END = "  }\n}\n"

NO_QUOTES = "text without quotes"
WRITE_QUOTES = "put it in double quotes"
OPEN_QUOTE = "the quote is not closed"
NO_NUMBER = ("this is no number in JSON", "write it like 2, -2 or 0.5, or put it in double quotes")
NO_NAN = "write a number, or null"
ESCAPE = ("a backslash in a string starts an escape, and this is none", r"write `\\` for a backsl")
ONE_LINE = r"write `\n` for the line's end, or all of it in one line"
VALUE_ENDS = ("text behind a value that is complete", "remove it")
COMMA = ("a comma is missing", "add `,`")
NOTHING_IN_FRONT = ("a comma with nothing in front of it", "remove the comma")
BEHIND = ("text behind the end of the JSON", "a JSON file holds one document: put the rest into a")
SINGLE = ("a string in single quotes", 'write double quotes: "..."')
IN_LIST = "close the list with `]` first, or put the key and its value in braces"
PLAIN_QUOTE = 'write a plain `"`'

SLIPS = [
    # (what, written instead, message, hint, place)
    (COMMAND, '"commandLine: "ls -l"', "a colon is missing", "add `:` and the key's", "5:22"),
    (COUNT, '"nodeCount: 2,', OPEN_QUOTE, "add the closing quote", "3:5"),
    (LAST, '"stdOutErrPathPrefix": "/tmp', OPEN_QUOTE, "add the closing quote", "11:28"),
    (END, '  }\n}\n"a"', *BEHIND, "14:1"),
    ('"nodeCount"', 'nodeCount"', "the opening quote is missing", 'add `"`', "3:5"),
    ('"/tmp"', 'tmp"', "the opening quote is missing", 'add `"`', "11:28"),
    ('"ls -l"', '"ls\n  -l"', "a string that goes on in the next line", ONE_LINE, "5:25"),
    ('"ls -l"', '"a\n\\"b\\"\nc\\\\"', "a string that goes on in the next line", ONE_LINE, "5:24"),
    ('"ls -l"', '"ls\t-l"', "a tab in a string", r"write `\t`", "5:25"),
    ('"ls -l"', r'"ls \. -l"', *ESCAPE, "5:26"),
    ('"ls -l"', r'"\u12g4"', *ESCAPE, "5:23"),
    ('"ls -l"', '"ls "a""', "text right behind the closing quote", r"write `\"` for a", "5:27"),
    (END, "  }\n", "the `{` of line 1 is not closed", "add `}`", "12:4"),
    (END, "  }", "the `{` of line 1 is not closed", "add `}`", "12:4"),
    ('-l"\n    },', '-l",', "the `{` is not closed", "add `}`", "4:30"),
    (END, "  }\n}\n}\n", "a `}` too many", "remove it", "14:1"),
    ('"/b"}\n    ]', '"/b"}\n    }', "the `[` of line 7 is closed by `}`", "write `]`", "10:5"),
    ('"/b"}\n    ],', '"/b"},', "a key in the list of line 7", IN_LIST, "10:26"),
    (COUNT, '"nodeCount": 2', *COMMA, "3:19"),
    ('"/a"},', '"/a"}', *COMMA, "8:32"),
    ('"A",', '"A"', *COMMA, "8:17"),
    (COUNT, '"nodeCount": 2;', "a `;` where JSON has a comma", "write `,`", "3:19"),
    ('"A", "path"', '"A" path', *COMMA, "8:17"),
    ('"A", "path"', "'A' 'path'", *SINGLE, "8:14"),
    ('{"id": "B"', '[1 2]', *COMMA, "9:9"),
    (COUNT, '"nodeCount": 2 nodes,', *VALUE_ENDS, "3:20"),
    ('"ls -l"', '"ls" + " -l"', *VALUE_ENDS, "5:27"),
    (COUNT, '"nodeCount": 2,,', *NOTHING_IN_FRONT, "3:20"),
    ('{"id": "A"', '{, "id": "A"', *NOTHING_IN_FRONT, "8:8"),
    (COMMAND, f"{COMMAND},", "a comma with nothing behind it", "remove the comma", "5:29"),
    ('"/b"}', '"/b"},', "a comma with nothing behind it", "remove the comma", "9:32"),
    (END, "  }\n},\n", "a comma with nothing behind it", "remove the comma", "13:2"),
    (COUNT, "'nodeCount': 2,", *SINGLE, "3:5"),
    ('"/tmp"', "'/tmp'", *SINGLE, "11:28"),
    (COUNT, "nodeCount: 2,", "a key without quotes", WRITE_QUOTES, "3:5"),
    (COUNT, '2: "a",', "a key without quotes", WRITE_QUOTES, "3:5"),
    (COUNT, '"nodeCount": two,', NO_QUOTES, WRITE_QUOTES, "3:18"),
    (COUNT, '"nodeCount": 12h,', NO_QUOTES, WRITE_QUOTES, "3:18"),
    ('"/tmp"', "$AZ_BATCHAI_JOB_TEMP", NO_QUOTES, WRITE_QUOTES, "11:28"),
    ('"/tmp"', "<path>", NO_QUOTES, WRITE_QUOTES, "11:28"),
    (COUNT, '"nodeCount": True,', "`True` is no value in JSON", "write true", "3:18"),
    (COUNT, '"nodeCount": None,', "`None` is no value in JSON", "write null", "3:18"),
    (COUNT, '"nodeCount": NaN,', "`NaN` is no number in JSON", NO_NAN, "3:18"),
    (COUNT, '"nodeCount": -Infinity,', "`-Infinity` is no number in JSON", NO_NAN, "3:18"),
    (COUNT, '"nodeCount": 02,', *NO_NUMBER, "3:18"),
    (COUNT, '"nodeCount": 2.,', *NO_NUMBER, "3:18"),
    (COUNT, '"nodeCount": +2,', *NO_NUMBER, "3:18"),
    (COUNT, '"nodeCount": 0x2,', *NO_NUMBER, "3:18"),
    (COUNT, f"{COUNT} // two", "JSON has no comments", "remove it", "3:21"),
    (COUNT, f"/* two */ {COUNT}", "JSON has no comments", "remove it", "3:5"),
    (COUNT, f"# two\n{COUNT}", "JSON has no comments", "remove it, or name the file", "3:5"),
    ('{\n  "prop', '// a job\n{\n  "prop', "JSON has no comments", "remove it", "1:1"),
    (COUNT, '"nodeCount" 2,', "a colon is missing", "add `:` and the key's value", "3:16"),
    (COUNT, '"nodeCount" = 2,', "`=` behind a key", "write `:`", "3:17"),
    (COUNT, '"nodeCount": ,', "a key without a value", "add its value", "3:17"),
    ('"B", "path": "/b"', '"B", "path"', "a key without a value", "add `:` and its", "9:25"),
    ('"B", "path": "/b"', '"B", "path": ', "a key without a value", "add its value", "9:26"),
    (COUNT, '"a": "nodeCount": 2,', "a second colon behind a key", "put keys and val", "3:21"),
    (COUNT, ": 2,", "a colon with no key in front of it", "remove it, or add a key", "3:5"),
    (COUNT, "{},", "a `{` without a key", 'write "key": in front of it', "3:5"),
    (END, "  }\n}\n{}\n", *BEHIND, "14:1"),
    (END, "  }\n};\n", "a `;` behind the end of the JSON", "remove it", "13:2"),
    (COUNT, "\u201cnodeCount\u201d: 2,", "U+201C is no quote to JSON", PLAIN_QUOTE, "3:5"),
    (COUNT, '"nodeCount":\u00a02,', "U+00A0 looks like a space", "write a plain space", "3:17"),
    (COUNT, '"nodeCount": {{n}},', "a template's `{{` is no JSON", "fill in the temp", "3:18"),
    (COUNT, f"{{% if n %}} {COUNT}", "a template's `{%` is no", "fill in", "3:5"),
    (f"    {COUNT}", f"<<<<<<< a\n{COUNT}", "a mark of a merge conflict", "keep one side", "3:1"),
]  # fmt: skip


def reported(text):
    findings = lint(text.encode(), "job.json", "/", LintEnvironment())
    return [(f.code, f.message, f.hint, f"{f.span.line}:{f.span.column}") for f in findings]


@pytest.mark.parametrize(("right", "wrong", "message", "hint", "place"), SLIPS)
def test_a_slip_is_reported_in_plain_words(right, wrong, message, hint, place):
    assert right in JOB
    [(code, said, help_text, at)] = reported(JOB.replace(right, wrong, 1))
    assert (code, at) == ("BAI101", place)
    assert said.startswith(message)
    assert help_text.startswith(hint)


def test_the_job_itself_is_json():
    assert json.loads(JOB)
    assert "BAI101" not in [code for code, *_ in reported(JOB)]


def test_carriage_returns_move_no_place():
    text = JOB.replace(COUNT, '"nodeCount": 2').replace("\n", "\r\n")
    assert reported(text) == [("BAI101", *COMMA, "3:19")]
    text = JOB.replace('"ls -l"', '"ls\n -l"').replace("\n", "\r\n")
    assert [at for *_, at in reported(text)] == ["5:25"]


@pytest.mark.parametrize(
    "text", ["{", "[", "{}}", "[[{", '{"', '{"a\\', "// x", "{'", "{{", '{"a":']
)
def test_no_end_is_too_early(text):
    assert [code for code, *_ in reported(text)] == ["BAI101"]
