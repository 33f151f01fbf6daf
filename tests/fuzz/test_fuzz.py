"""Generated files. `BAI_FUZZ=100` makes a hundred times as many as usual."""

import json
import os
from pathlib import Path

import pytest
from fuzz.properties import STYLES, TEXTS, check_command, check_lint, check_quick
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from bai.schemas.validators import is_valid, schema

pytestmark = pytest.mark.slow
TESTS = Path(__file__).parents[1]
TIMES = int(os.environ.get("BAI_FUZZ", "1"))
FILES = [
    *sorted(TESTS.glob("schemas/corpus/*/*/*.json")),
    *sorted(TESTS.glob("compiler/golden/*/spec.yaml")),
    *sorted(TESTS.glob("specs/broken/*.yaml")),
    *sorted(TESTS.parent.glob("examples/**/*.yaml")),
]
SEEDS = [path.read_bytes() for path in FILES]
CHARACTERS = b"\t\n\r \"'#&*,-.0123456789:<>?@[]`abcdefnul{|}~!%\\$\0\x7f\x85\xff"
WORDS = rb"""
--- ... %YAML\x201.1\n !!str\x20 !!int\x20 &a\x20 *a <<:\x20 \r\n null true No 0x1f 0o7 1e3 .inf
.nan -0 01 1_0 ~ \xef\xbb\xbf \xff\xfe \xc2\x85 \xe2\x80\xa8 \xed\xa0\x80 \\ud800 \\x41
apiVersion:\x20bai/v1\n kind:\x20Experiment\n spec:\n "properties": $schema:\x20job.json
\x20#\x20bai:\x20ignore[BAI203] #\x20bai:\x20ignore-file[BAI2]\n #\x20bai:\x20ignore[]
${mounts.x} $AZ_BATCHAI_INPUT_X 1:\x202\n ?\x20a\n:\x20b\n |\n\x20\x20x\n >-\n\x20x\n
"""
PIECES = [
    *(bytes([byte]) for byte in CHARACTERS),
    *(word.decode("unicode_escape").encode("latin-1") for word in WORDS.split()),
    b"9" * 500,
]


def bounded(examples):
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=examples * TIMES, deadline=None, suppress_health_check=checks)


made = st.lists(st.sampled_from(PIECES) | st.binary(max_size=4), max_size=40).map(b"".join)


@st.composite
def mutated(draw):
    """A file of the tests, with pieces put in, taken out or repeated."""
    content = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.sampled_from([0, 0, 1, 2, 5, 20, 200])))
        piece = draw(st.sampled_from(PIECES) | st.just(content[start:end] * 2))
        content = content[:start] + piece + content[end:]
    return content


@bounded(300)
@given(made | mutated())
def test_lint_says_something_sensible_of_anything(content):
    check_lint(content)


plain = st.recursive(
    st.sampled_from([piece.decode("latin-1") for piece in PIECES]) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4).map(lambda parts: f"[{', '.join(parts)}]")
        | st.lists(st.tuples(st.text("abc", min_size=1), inner), max_size=4).map(
            lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
        )
    ),
    max_leaves=10,
)


@bounded(1000)
@given(made | mutated() | plain.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_the_quick_reader_reads_what_the_reader_reads(content):
    check_quick(content)


@bounded(300)
@given(st.data())
def test_numbers_and_words_are_read_alike(data):
    scalar = st.from_regex(r"[-+.0-9eExXoOa-fA-FtTrRuUnN~_]{1,12}", fullmatch=True)
    lines = [f"k{index}: {data.draw(scalar)}\n" for index in range(8)]
    check_quick("".join(lines).encode())
    values = [f"- {data.draw(scalar)}\n" for _ in range(8)]
    check_quick("".join(values).encode())


SHELL = [
    *("apt install ", "pip install ", "a>=1 ", "a=1, ", "-r x.txt ", "conda instal ", "bash -c "),
    *("rm -rf ", "cd ", "sudo ", "read -p ", "curl x ", "tar x ", "python a.py ", "mpirun "),
    *(
        "tee log ",
        "grep ",
        "echo ended",
        "$AZ_BATCHAI_JOB_MOUNT_ROOT/data/",
        "$X",
        "${X}",
        "${X:-y}",
    ),
    *(
        "$(",
        "`",
        "(",
        ")",
        '"',
        "'",
        "|",
        "&&",
        "||",
        "; ",
        "&",
        "<<E",
        "E\n",
        "<(",
        " > ",
        "2>&1 ",
    ),
    *("if ", "then ", "done", "{ ", "}", "#", " #5 ", "--tag", "\\", "\\ ", "\\\n", "$'", "<a> "),
    *("\u201c", "\u201d", "\u2013", "\u00a0", "\u200b", "\uff5c", "\x85", "\u2028", "\U0001f4a9"),
    *(" ", "   ", "\t", "\n", "\n\n", ": ", " # ", "- ", "? ", "[", ",", "!", "%", "@", "*", "~"),
]
shell_texts = st.lists(st.sampled_from(SHELL) | st.text(max_size=3), max_size=30).map("".join)


@bounded(300)
@given(
    shell_texts,
    st.sampled_from(list(TEXTS)),
    st.sampled_from(list(STYLES.values())),
    st.sampled_from([8, 40, 10_000]),
)
def test_findings_of_command_lines_show_what_they_are_about(text, what, style, width):
    check_command(text, what, style, width)


KINDS = ("job", "cluster", "fileServer")
DOCUMENTS = [json.loads(path.read_text()) for path in FILES if "corpus" in path.parts]


def keys_of(part):
    if isinstance(part, dict):
        yield from part.get("properties", ())
        for inner in part.values():
            yield from keys_of(inner)


KEYS = sorted({key for kind in KINDS for key in keys_of(schema(kind))})
keys = st.sampled_from(KEYS) | st.sampled_from(["", "x", "$ref", "id", "$schema", "properties"])
texts = st.sampled_from(["", "[x]", "[[x]", "[parameters('n')]", "[", "a\n", "STANDARD_NC6", "env"])
scalars = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([1.0, 1.5, -0.0, 1e300, 2**70])
)
values = st.recursive(
    scalars | texts | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=12,
)


@st.composite
def documents(draw):
    """A document of the corpus with other values in some places, or one made of known keys."""
    if draw(st.booleans()):
        return draw(st.fixed_dictionaries({"properties": st.dictionaries(keys, values)}) | values)
    document = json.loads(json.dumps(draw(st.sampled_from(DOCUMENTS))))
    for _ in range(draw(st.integers(1, 4))):
        here = document
        while isinstance(here, (dict, list)) and here:
            steps = list(here) if isinstance(here, dict) else list(range(len(here)))
            step = draw(st.sampled_from(steps))
            if draw(st.integers(0, 3)) == 0 or not isinstance(here[step], (dict, list)):
                match draw(st.sampled_from(["value", "value", "key", "none"])):
                    case "none":
                        del here[step]
                    case "key" if isinstance(here, dict):
                        here[draw(keys)] = here.pop(step)
                    case _:
                        here[step] = draw(values)
                break
            here = here[step]
    return document


@pytest.mark.parametrize("profile", ["wire", "file", "strict", "source"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_fast_verdict_is_that_of_jsonschema(kind, profile):
    reference = Draft4Validator(schema(kind, profile))

    @bounded(60)
    @given(documents())
    def run(document):
        assert is_valid(kind, document, profile) == reference.is_valid(document)

    run()
