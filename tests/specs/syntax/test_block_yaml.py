"""What the compiled parser reads is what the reader with places reads, without a complaint."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bai.specs.source.plain_scalar import resolved
from bai.specs.syntax.block_yaml import read_blocks
from bai.specs.syntax.reader import read

SCALARS = st.text("019_.+-eExXobnaif~tT", max_size=6) | st.sampled_from(
    [
        "train.py",
        "python $A/train.py --lr 0.1 && echo ${B}",
        '"quoted: \\n"',
        "'it''s'",
        "https://a.b/c#d",
        "x # y",
        "2018-05-01",
        "null",
        "True",
        "yes",
        "1e3",
        "|",
        ">-",
        "|+",
    ]
)
KEYS = st.sampled_from(["a", "b", "key", "$schema", "with space", '"quoted"', "1", "true", "x-y"])
LINES = st.one_of(
    st.builds("{}: {}".format, KEYS, SCALARS),
    st.builds("- {}: {}".format, KEYS, SCALARS),
    st.builds("{}:".format, KEYS),
    st.builds("- {}".format, SCALARS),
    SCALARS,
    st.sampled_from(["# comment", "", "-", "- - x", "{a: b}", "[1]", "? a", "&x y", "---"]),
)
VALUES = st.lists(SCALARS, min_size=1, max_size=9).map(
    lambda values: "".join(f"k{at}: {value}\n" for at, value in enumerate(values))
)
TEXTS = VALUES | st.lists(
    st.builds("{}{}\n".format, st.sampled_from(["", "  ", "    "]), LINES)
).map("".join)


@settings(max_examples=1000, deadline=None)
@given(TEXTS)
def test_any_lines(text):
    data = read_blocks(text)
    if data is not None:
        documents, findings = read(text, "file")
        assert findings == ()
        assert [repr(data)] == [repr(resolved(document.data)) for document in documents]


def test_a_job_file_is_read():
    text = """\
# A comment.
properties:
  nodeCount: 2
  cluster: {}
  commandLine: >-
    python train.py
    --lr 0.1
  list:
  - id: A
    path: "$X/a"
  - id: B
    empty:
"""
    assert read_blocks(text) is None
    assert read_blocks(text.replace("  cluster: {}\n", "")) == {
        "properties": {
            "nodeCount": 2,
            "commandLine": "python train.py --lr 0.1",
            "list": [{"id": "A", "path": "$X/a"}, {"id": "B", "empty": None}],
        }
    }


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\na: 2\n",
        "a: &x 1\n",
        "a: *x\n",
        "a: !x 1\n",
        "a: 012\n",
        "a: 1_000\n",
        "a: 0b11\n",
        "a: .inf\n",
        "a: |\n",
        "1: a\n",
        "a: 1\n---\nb: 1\n",
        "%YAML 1.1\n---\na: 1\n",
        "a: 1",
        "text\n",
        "a: b: c\n",
        "- " * 20 + "a\n",
        "".join(f"{'':{depth}}k:\n" for depth in range(60)),
    ],
)
def test_what_parsers_may_read_differently_is_left_to_others(text):
    assert read_blocks(text) is None
