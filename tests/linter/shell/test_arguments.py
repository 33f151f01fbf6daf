"""Arguments of scripts as a shell would read them."""

import shlex

from hypothesis import given
from hypothesis import strategies as st

from bai.linter.shell.argument_syntax import open_quote, shell_syntax


@given(st.text("ab'\"\\ $(`)|&;<>1./-", max_size=30))
def test_shell_syntax_is_a_part_of_the_arguments(text):
    if open_quote(text) is None and (found := shell_syntax(text)):
        assert 0 <= found.start < found.end <= len(text)


@given(st.text("ab '\"\\\n$", max_size=12))
def test_quotes_are_open_where_a_shell_finds_no_words(text):
    try:
        shlex.split(text)
    except ValueError:
        at, mark = open_quote(text)
        assert text[at] == mark
    else:
        assert open_quote(text) is None
