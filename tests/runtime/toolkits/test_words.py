"""Lists of words in a spec: what a shell and the toolkits read of the lines made of them."""

import os
import re
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bai.compiler.resources.words import line_of
from bai.runtime.errors import SettingError
from bai.runtime.jobs.paths import expand
from bai.runtime.toolkits.python_script import words
from bai.specs.findings import Span

VALUES = {"AZ_BATCHAI_OUTPUT_M": "/a  b/*", "AZ_BATCHAI_JOB_TEMP": "$HOME'`\""}
NOWHERE = Span("f", 1, 1, 1, 1)
pieces = st.sampled_from(
    [
        *"abz019 \t\n\r'\"\\$`!*?~=#&|;<>(){}[]%@+:,./-_^é\u00a0",
        "$HOME",
        "${HOME}",
        "$(date)",
        "$$",
        "$AZ_BATCHAI_OUTPUT_M/",
        "${AZ_BATCHAI_OUTPUT_M}",
        "${AZ_BATCHAI_JOB_TEMP}x",
        "$az_batchai_job_temp",
    ]
)
lists = st.lists(st.lists(pieces, max_size=8).map("".join), min_size=1, max_size=6)


def line(items, *, is_command=False):
    return line_of([(item, NOWHERE, ()) for item in items], is_command=is_command)


def meant(items):
    return [
        re.sub(r"\$\{(AZ_BATCH\w+)\}|\$(AZ_BATCH\w+)", lambda m: VALUES[m[1] or m[2]], item)
        for item in items
    ]


@pytest.mark.parametrize("shell", ["sh", "bash"])
@given(lists)
@settings(max_examples=60)
def test_a_shell_reads_the_words(shell, items):
    command = [shell, "-c", f"printf '%s\\0' {line(items).text}"]
    found = subprocess.check_output(command, env=os.environ | VALUES)
    assert found.decode().split("\0")[:-1] == meant(items)


@given(lists)
def test_a_toolkit_reads_the_words(items):
    found = words({"commandLineArgs": line(items).text})
    assert [expand(word, VALUES | {"HOME": "no"}) for word in found] == meant(items)


@given(lists)
def test_every_character_of_a_line_leads_to_one_of_its_word(items):
    made = line(items)
    for item, word in zip(items, made.words, strict=True):
        written = made.text[word.start : word.end]
        assert word.value == item
        assert len(word.origins) == len(written)
        for mark, origin in zip(written, word.origins, strict=True):
            assert mark in ("'", '"', "\\", *item[origin : origin + 1])


@pytest.mark.parametrize("program", ["if", "time", "a=b", "my prog", "{", "!", "[[", "it's", "a$b"])
def test_any_name_of_a_program_is_called(program, tmp_path):
    file = tmp_path / program
    file.write_text("#!/bin/sh\necho called with $#\n")
    file.chmod(0o755)
    text = line([program, "a b", "if", "c=d"], is_command=True).text
    path = f"{tmp_path}:{os.environ['PATH']}"
    found = subprocess.check_output(["bash", "-c", text], env=os.environ | {"PATH": path})
    assert found == b"called with 3\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a  b\n c", ["a", "b", "c"]),
        ("'$HOME' \"$HOME\" $HOME \\$HOME", ["$$HOME", "$HOME", "$HOME", "$$HOME"]),
        (r'"a\"b\\c\d" \' "\$x"', ['a"b\\c\\d', "'", "$$x"]),
        ("a \\\n \\\n b", ["a", "b"]),
        ("a\\\nb \"c\\\nd\" ''", ["ab", "cd", ""]),
        ("", []),
        ("  ", []),
    ],
)
def test_arguments_are_split_as_a_shell_does_it(text, expected):
    assert words({"commandLineArgs": text}) == expected


@pytest.mark.parametrize("text", ["'a", 'b "', "c\\", '"\\"'])
def test_an_open_quote_is_refused(text):
    with pytest.raises(SettingError, match="quote that does not close"):
        words({"commandLineArgs": text})
