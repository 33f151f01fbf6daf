"""What the reader makes of text: values, places, and findings in place of exceptions."""

import json
import string

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from loading import load_text

from bai.specs.source.plain_scalar import Plain
from bai.specs.syntax import composer
from bai.specs.syntax.characters import MAX_BYTES
from bai.specs.syntax.reader import read


def only(text):
    documents, findings = read(text, "file")
    assert findings == ()
    [document] = documents
    return document


def codes(text):
    return [finding.code for finding in read(text, "file")[1]]


def covered(document, span):
    """Return the text that a span covers."""
    lines = document.text.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


def values(data):
    """Give plain scalars their values, as JSON has them."""
    if isinstance(data, dict):
        return {key: values(value) for key, value in data.items()}
    if isinstance(data, list):
        return [values(value) for value in data]
    return data.value if isinstance(data, Plain) else data


@pytest.fixture(params=["libyaml", "python"])
def parser(request, monkeypatch):
    if request.param == "python":
        monkeypatch.setattr(composer, "_LOADER", yaml.SafeLoader)
    return request.param


class TestValues:
    def test_quotes_decide_what_a_scalar_may_be(self, parser):
        data = only("{a: 1, b: '1', c: \"1\", d: !!str 1, e: ! 1, f: !!int '1'}").data
        kinds = {key: type(value) for key, value in data.items()}
        assert kinds == {"a": Plain, "b": str, "c": str, "d": str, "e": str, "f": Plain}

    def test_nothing_is_null_only_without_quotes(self, parser):
        data = only("a:\nb: ~\nc: null\nd: 'null'\ne: ''\n").data
        assert data == {"a": None, "b": None, "c": None, "d": "null", "e": ""}

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("no", "no"),
            ("0777", "0777"),
            ("12:30:00", "12:30:00"),
            ("1_000", "1_000"),
            ("0x1F", 31),
            ("0o17", 15),
            ("-0", 0),
            ("+12", 12),
            ("1e3", 1000.0),
            (".5", 0.5),
            ("1.", 1.0),
            ("true", True),
            ("2001-01-01", "2001-01-01"),
            ("9" * 5000, "9" * 5000),
        ],
    )
    def test_core_schema(self, text, value):
        found = Plain(text).value
        assert found == value
        assert type(found) is type(value)

    def test_anchors_and_merges(self, parser):
        text = "a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: {y: 4, <<: [{x: 5}, *a]}\nd: *a\n"
        data = only(text).data
        assert data["b"] == {"x": "1", "y": "3"}
        assert data["c"] == {"x": "5", "y": "4"}
        assert data["d"] == data["a"]

    def test_a_merged_value_keeps_its_place(self, parser):
        document = only("a: &a {x: 1}\nb:\n  <<: *a\n")
        assert document.span(("b", "x")) == document.span(("a", "x"))
        assert document.key_span(("b", "x")) == document.key_span(("a", "x"))

    def test_a_quoted_merge_key_is_a_key(self, parser):
        assert only("{'<<': {a: 1}}").data == {"<<": {"a": "1"}}

    def test_documents(self, parser):
        documents, findings = read("a: 1\n---\nb: &x 2\n---\n", "file")
        assert [document.data for document in documents] == [{"a": "1"}, {"b": "2"}]
        assert findings == ()
        assert codes("a: &x 1\n---\nb: *x\n") == ["BAI106"]

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    def test_encodings(self, encoding):
        document = only("a: héllo 😀\nb: 1\n".encode(encoding))
        assert document.data == {"a": "héllo 😀", "b": "1"}
        assert document.span(("b",)).column == 4
        assert document.key_span(("a",)).column == 1

    @pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
    def test_line_ends(self, parser, newline):
        document = only(newline.join(["a: 1", "b: |", "  x", "  y", "c: 2", ""]))
        assert document.data == {"a": "1", "b": "x\ny\n", "c": "2"}
        assert document.span(("c",)).line == 5


class TestPlaces:
    def test_scalars_and_keys(self, parser):
        document = only("# x\na:\n  - b: 'é'  # y\n    c:   two words\n")
        assert covered(document, document.span(("a", 0, "b"))) == "'é'"
        assert covered(document, document.span(("a", 0, "c"))) == "two words"
        assert covered(document, document.key_span(("a", 0, "c"))) == "c"

    def test_a_block_ends_with_its_last_item(self, parser):
        document = only("a:\n  - 1\n  - b: 2\n\n\n# far\nc: 3\n")
        assert covered(document, document.span(("a",))) == "- 1\n  - b: 2"
        assert covered(document, document.span(("a", 1))) == "b: 2"

    def test_a_block_that_ends_with_an_alias(self, parser):
        document = only("a: &a {x: 1}\nb:\n  - *a\n\nc: 1\n")
        assert covered(document, document.span(("b",))) == "- *a"
        assert document.span(("b", 0)) == document.span(("a",))

    @pytest.mark.parametrize("style", ["|", ">", "|-", "|+", "|2"])
    def test_block_scalars(self, parser, style):
        document = only(f"a: {style}\n  x\n\n  y\n\n\nb: 1\n")
        assert covered(document, document.span(("a",))) == f"{style}\n  x\n\n  y"

    def test_flow(self, parser):
        document = only("a: {b: [1,\n  2], c: {}}\n")
        assert covered(document, document.span(("a",))) == "{b: [1,\n  2], c: {}}"
        assert covered(document, document.span(("a", "b"))) == "[1,\n  2]"

    def test_nothing_has_a_place_too(self, parser):
        span = only("a:\nb: 1\n").span(("a",))
        assert (span.line, span.column, span.end_column) == (1, 3, 3)

    @given(st.data())
    def test_every_scalar_stands_where_its_span_says(self, data):
        scalars = st.text(string.ascii_letters + "é😀'\"\\:#-[]{}&* \n", max_size=12)
        parts = st.recursive(
            scalars,
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(scalars, inner, max_size=3),
            max_leaves=8,
        )
        written = data.draw(st.dictionaries(scalars, parts, min_size=1, max_size=3))
        flow = data.draw(st.sampled_from([True, False, None]))
        text = yaml.safe_dump(
            written, default_flow_style=flow, allow_unicode=data.draw(st.booleans()), width=1000
        )
        document = only(text)
        assert document.data == written
        for path, span in document.values.items():
            value = document.data
            for step in path:
                value = value[step]
            if isinstance(value, str) and "\n" not in covered(document, span):
                assert only("- " + covered(document, span)).data == [value]


json_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | json_texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(json_texts, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


class TestJson:
    @given(
        st.dictionaries(json_texts, json_values) | st.lists(json_values),
        st.booleans(),
        st.sampled_from([None, 0, 2, "\t"]),
    )
    @example({"😀/\u2028\x7f": "\x85", "k" * 2000: 1}, True, "\t")
    def test_values_are_those_of_json(self, value, ascii_only, indent):
        text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
        document = only(text)
        assert values(document.data) == value
        for path, span in document.values.items():
            inner = value
            for step in path:
                inner = inner[step]
            assert json.loads(covered(document, span)) == inner

    def test_escapes(self):
        data = only('\t{"a": "\\ud83d\\ude00\\/\\n",\r\n\t"b"\t: [1e400, -0.5E-1]}\n')
        assert data.data == {"a": "😀/\n", "b": ["1e400", "-0.5E-1"]}
        assert data.span(("b", 0)).column == 9

    def test_what_only_begins_like_json_is_yaml(self):
        assert only("{a: 1, 'b': [x, ], }").data == {"a": "1", "b": ["x"]}
        documents, _ = read('{"a": 1}\n---\n{"a": 2}\n', "file")
        assert [document.data for document in documents] == [{"a": "1"}, {"a": "2"}]

    def test_duplicate_keys(self):
        [finding] = read('{"a": 1,\n "a": 2}', "file")[1]
        assert (finding.code, finding.span.line, finding.span.column) == ("BAI109", 2, 2)

    @pytest.mark.parametrize(
        "text",
        [
            *('{"a": 1', '{"a" 1}', "[1,,2]", '{"a": "\\ud800"}', "[}", '{"a": "x}', "{]"),
            *("[1]]", '{"a": 01x,}}', '{"a": 1} {"b": 2}'),
        ],
    )
    def test_broken(self, text):
        assert read(text, "file")[1]


@pytest.mark.slow
class TestBounds:
    @pytest.mark.parametrize("text", ["[" * 1_000_000, "{a: " * 200_000, "- " * 500_000])
    def test_depth(self, text):
        assert set(codes(text)) <= {"BAI107", "BAI101"}
        assert codes(text)

    def test_depth_by_aliases(self):
        text = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 200))
        assert codes(text) == ["BAI107"]

    def test_depth_that_is_fine(self, parser):
        assert codes("[" * 90 + "]" * 90) == []

    @pytest.mark.parametrize("text", ["[1" + ",1" * 100 + "]", "- 1\n" * 101, "---\n1\n" * 101])
    def test_many_values(self, monkeypatch, text):
        assert codes(text) == []
        monkeypatch.setattr(composer, "MAX_NODES", 100)
        assert codes(text) == ["BAI107"]

    def test_a_large_file_is_fine(self):
        assert len(only("- {a: 1, b: two}\n" * 25_000).data) == 25_000

    def test_many_copies(self):
        large = "a: &a [" + "1," * 2_000 + "]\n"
        assert codes(large + "b: [" + "*a," * 49 + "]\n") == []
        assert codes(large + "b: [" + "*a," * 60 + "]\n") == ["BAI107"]

    def test_many_merges_of_a_large_mapping(self):
        large = "a: &a {" + ",".join(f"k{n}: 1" for n in range(20_000)) + "}\n"
        assert codes(large + "b:\n" + "- {<<: *a}\n" * 20_000) == ["BAI107"]

    def test_size(self):
        assert codes(b"#" * (MAX_BYTES + 1)) == ["BAI108"]

    @given(st.text() | st.text("[]{}&*:-? \n\t'\"ab<|>!%@#,\\0"))
    @example("&a [*a]")
    @example("? [a]\n: b")
    @example("!!binary x: !!set y")
    @example("a: \ufeff\n--- \ufeff")
    @example("%TAG ! x\n---\n!a b")
    def test_no_text_raises(self, text):
        result = load_text(text, "file", "/")
        assert result.findings
        for finding in result.findings:
            assert finding.span.line <= finding.span.end_line
            assert min(finding.span.line, finding.span.column) >= 1

    @given(st.binary())
    @example(b"\xff\xfea")
    @example(b"\xef\xbb\xbf")
    def test_no_bytes_raise(self, content):
        assert load_text(content, "file", "/").findings

    @pytest.mark.parametrize(
        ("text", "code", "column"),
        [
            ("a: \x00", "BAI103", 4),
            ("a: \u2028", "BAI103", 4),
            (b"ab: \xe9x", "BAI102", 5),
            ("\ufeffa: \x07", "BAI103", 4),
            ("é: !x y", "BAI105", 4),
            ("a: *b", "BAI106", 4),
            ("a: &a {b: *a}", "BAI106", 11),
            ("{a: 1, a: 2}", "BAI109", 8),
            ("{a: 1, [b]: 2}", "BAI104", 8),
            ("null: 1", "BAI104", 1),
            ("a: {<<: 1}", "BAI104", 9),
            ("a: !!map 1", "BAI105", 4),
            ("a: !!str [1]", "BAI105", 4),
        ],
    )
    def test_findings_and_their_columns(self, parser, text, code, column):
        [finding] = read(text, "file")[1]
        assert (finding.code, finding.span.line, finding.span.column) == (code, 1, column)

    @pytest.mark.parametrize("key", ["null", "~", "NULL"])
    def test_a_key_that_is_null_needs_quotes(self, parser, key):
        [finding] = read(f"a: 1\n{key}: 2\n", "file")[1]
        assert finding.message == f"a key must be a string, and `{key}` without quotes is none"
        assert finding.hint == f'write "{key}"'
        assert list(only(f"'{key}': 1\ntrue: 1\nno: 2\n3: 3\n").data) == [key, "true", "no", "3"]

    def test_several_findings_at_once(self, parser):
        assert codes("a: !x 1\nb: *c\na: 2\n[d]: 3\n") == ["BAI105", "BAI106", "BAI109", "BAI104"]


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("a: 1\nb:2\nc: 3\n", 2, "'b' has no space"),
        ("a:1\nb: 2\n", 1, "'a' has no space"),
        ("-a\nb: 1\n", 1, "dash"),
        ("a: 'it's'\n", 1, "a quote in quotes"),
        ('a: "x\nb: 1\n', 1, "quote is not closed"),
        ("a: [1,\n  2\nb: 1\n", 1, "`[` is not closed"),
        ("a: [1,#x\n", 1, "not closed"),
        ("a:\n    b: 1\n  c: 2\n", 3, "indent fits no line"),
        ("a: 1\n  b: 2\n", 2, "deeper than line 1"),
        ("a:\n\tb: 1\n", 2, "tab"),
        ('a: "\\d"\n', 1, "backslash"),
        ("a: @x\n", 1, "can't begin with `@`"),
        ("a: *.py\n", 1, "alias"),
        ("a: & x\n", 1, "anchor"),
        ("a: b: c\n", 1, "second"),
        ("a: ]\n", 1, "can't begin with `]`"),
        ("a: |x\n b\n", 1, "behind `|`"),
        ("%YAML 3.0\n---\na: 1\n", 1, "version"),
        ("a: 1\n...\nb\n--- x: 1\n", 3, "end of the document"),
        ("a: !e!x 1\n", 1, "tag"),
        ("a: 1\nb\nc: 1\n", 2, "without a colon"),
    ],
)
def test_syntax_errors_in_words(parser, text, line, part):
    [finding] = read(text, "file")[1]
    assert finding.code == "BAI101"
    assert part in finding.message
    assert finding.span.line == line
    assert finding.hint
