"""Quoting of what is put into shell lines: for its place, whatever characters it has."""

import shlex
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bai.specs.parameters.references import references
from bai.specs.parameters.shell_places import Place, places, quoted

X = "${parameters.x}"
# References and Batch AI's variables keep their meaning: they have a test of their own.
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])).filter(
    lambda text: "$AZ_BATCHAI" not in text and "${" not in text
)
PLACES = [
    (f"echo {X}", [Place.BARE]),
    (f'echo "{X}"', [Place.DOUBLE]),
    (f"echo '{X}'", [Place.SINGLE]),
    (f"echo '' {X}", [Place.BARE]),
    (f"echo \\' {X}", [Place.BARE]),
    (f'echo "\\" {X}"', [Place.DOUBLE]),
    (f"echo '\"' {X} \"'{X}\" '{X}'", [Place.BARE, Place.DOUBLE, Place.SINGLE]),
    (f'echo "$(ls {X})" {X}', [Place.BARE, Place.BARE]),
    (f'echo "$(ls "{X}") {X}"', [Place.DOUBLE, Place.DOUBLE]),
    (f'echo "`ls {X}` {X}"', [Place.BARE, Place.DOUBLE]),
    (f"echo $'it\\'s {X}' {X}", [Place.ANSI, Place.BARE]),
    (f"# don't {X}\necho {X}", [Place.COMMENT, Place.BARE]),
    (f"echo a#don't {X}'", [Place.SINGLE]),
    (f"echo $# {X}", [Place.BARE]),
    (f"cat <<E\nit's {X}\nE\necho {X}", [Place.HERE, Place.BARE]),
    (f"cat <<'E' <<F {X}\n{X}\nE\n{X}\nF\n{X}", [Place.BARE, Place.RAW, Place.HERE, Place.BARE]),
    (f"cat <<-E\n\t{X}\n\tE\necho {X}", [Place.HERE, Place.BARE]),
    (f"cat <<< {X} '", [Place.BARE]),
    (f"echo ) {X}", [Place.BARE]),
    (f"{X}{X}", [Place.BARE, Place.BARE]),
]


def put(line, value):
    found = references(line)
    around = places(line, [(each.start, each.end) for each in found])
    for each, place in reversed(list(zip(found, around, strict=True))):
        line = line[: each.start] + quoted(value, place) + line[each.end :]
    return line


@pytest.mark.parametrize(("line", "expected"), PLACES)
def test_places(line, expected):
    found = references(line)
    assert places(line, [(each.start, each.end) for each in found]) == expected


@given(TEXTS)
def test_what_is_put_in_is_one_word_again(value):
    assert shlex.split(put(f"--x {X}", value)) == ["--x", value]
    assert shlex.split(put(f"--x=a{X}b", value)) == [f"--x=a{value}b"]
    assert shlex.split(put(f'"a {X}b" c', value)) == [f"a {value}b", "c"]
    assert shlex.split(put(f"'a {X}b' c", value)) == [f"a {value}b", "c"]


@pytest.mark.parametrize(
    "line", ["{}", '"{}"', "'{}'", "$'{}'", '"$(printf %s {})"', "\"$(printf %s '{}')\""]
)
@settings(max_examples=12, deadline=None)
@given(value=TEXTS.filter(lambda text: not text.endswith("\n")))
def test_bash_reads_it_as_it_is(line, value):
    command = put(f"printf '%s|' {line.format(X)} 2", value)
    shown = subprocess.run(["bash", "-c", command], capture_output=True, check=True).stdout
    assert shown == f"{value}|2|".encode()


@pytest.mark.parametrize("delimiter", ["E", "'E'", "\\E", '"E"'])
@settings(max_examples=12, deadline=None)
@given(value=TEXTS.filter(lambda text: "\r" not in text))
def test_bash_reads_it_in_a_here_document(delimiter, value):
    command = put(f"cat <<{delimiter}\na{X}b\nE\n", value)
    shown = subprocess.run(["bash", "-c", command], capture_output=True, check=True).stdout
    assert shown == f"a{value}b\n".encode()


@pytest.mark.parametrize("value", ["${mounts.data}/a b", "$AZ_BATCHAI_INPUT_X", "a${inputs.X}b"])
@pytest.mark.parametrize("line", ["{}", '"{}"', "'{}'", "$'{}'", '"{}b"', "{}b"])
def test_references_and_variables_in_a_value_keep_their_meaning(line, value):
    end = "b" if "b" in line else ""
    line = put(line.format(X), value)
    for reference in ("${mounts.data}", "${inputs.X}"):
        line = line.replace(reference, "${AZ_BATCHAI_INPUT_X}")
    command = ["bash", "-c", f"printf %s {line}"]
    shown = subprocess.run(
        command, env={"AZ_BATCHAI_INPUT_X": "1  2"}, capture_output=True, check=True, text=True
    )
    plain = value.replace("${mounts.data}", "1  2").replace("${inputs.X}", "1  2")
    assert shown.stdout == plain.replace("$AZ_BATCHAI_INPUT_X", "1  2") + end


def test_a_comment_stays_on_its_line():
    assert put(f"# {X}\nls", "a\nb") == "# a b\nls"
