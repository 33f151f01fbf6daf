"""Files that mean harm: `bai lint` says something about each, in bounded time and memory.

Each runs in a process with a limit of memory and of processor time, that kills it.
"""

import json
import os
import resource
import socket
import subprocess
import sys
import threading

import pytest
from linting import lint
from loading import ONE_JOB

from bai.linter.driver.linter import Linter
from bai.linter.environment import LintEnvironment
from bai.specs.syntax.fast_reader import read_fast

MILLION = 1_000_000
MEMORY = 3 << 30
"""Bytes of address space."""
SECONDS = 60
"""Of processor time: far more than any of these takes, far less than forever."""
JOB = '{"properties": {"nodeCount": 1, "customToolkitSettings": {"commandLine": %s}}}'
SPEC = (
    ONE_JOB
    + """\
      nodeCount: 1
      mounts: {r: azureFile:r}
      logs: ${mounts.r}
      custom: {command: %s}
"""
)


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def findings(bai, path, code=1):
    """Return (code, line, column) of what bai lint says about a file."""
    done = bai.run("lint", "-o", "json", path, code=code, preexec_fn=limited)
    assert done.stderr == ""
    found = []
    for finding in json.loads(done.stdout)["findings"]:
        start = finding["span"]["start"]
        found.append((finding["code"], start["line"], start["column"]))
    return found


def nested(opening, closing=""):
    return opening * MILLION + closing * MILLION


BOMB = "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdef", "bcdefg", strict=True)
)
LONG = "k" * MILLION

FILES = {
    "open brackets": ("properties: " + nested("["), [("BAI107", 1, 112)]),
    "open brackets in JSON": (nested("["), [("BAI107", 1, 101)]),
    "open braces": ("properties: " + nested("{a: "), [("BAI107", 1, 409)]),
    "open objects": (nested('{"a":'), [("BAI107", 1, 501)]),
    "closed brackets": ("properties: " + nested("[", "]"), [("BAI107", 1, 112)]),
    "closed brackets in JSON": (nested("[", "]"), [("BAI107", 1, 101)]),
    "dashes": ("properties:\n  " + nested("- "), [("BAI107", 2, 201)]),
    "question marks": (nested("? "), [("BAI107", 1, 201)]),
    "colons": ("a: " + nested(": "), [("BAI101", 1, 4)]),
    "alias bomb": ("a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]\n" + BOMB, [("BAI107", 6, 4)]),
    "unknown aliases": (
        "properties: [" + "".join(f"&a{n} 1, *b{n}, " for n in range(4000)) + "]",
        None,
    ),
    "long key": (f"properties:\n  {LONG}: 1\n", None),
    "long key in JSON": (f'{{"properties": {{"{LONG}": 1}}, "$schema": "job.json"}}', None),
    "many keys": (
        "$schema: job.json\nproperties:\n" + "".join(f"  k{n}: 1\n" for n in range(100_000)),
        None,
    ),
    "one key often": ("properties:\n" + "  k: 1\n" * 20_000, None),
    "many documents": ("---\nspec: 1\n" * 3000, None),
    "large scalar": ("properties: " + "x" * 60 * MILLION, [("BAI209", 1, 1)]),
    "too large": ("properties: " + "x" * 100 * MILLION, [("BAI108", 1, 1)]),
    "open quote": ('properties: "' + "x\n" * MILLION, [("BAI101", 1, 13)]),
    "empty lines": ("properties:\n" + "\n" * 10 * MILLION, [("BAI209", 1, 1)]),
    "long number": ('{"properties": {"nodeCount": ' + "9" * MILLION + "}}", None),
    "NUL": ("properties: {}\n\0", [("BAI103", 2, 1)]),
    "constructor": ("properties: !!python/object/apply:os._exit [0]\n", None),
    "two marks": ("\ufeff\ufeffproperties: {}\n", None),
    "comments": ("spec: 1\n" + "# bai: ignore[BAI203]\n" * 20_000, None),
}


@pytest.mark.parametrize("case", FILES)
def test_files_are_read_within_bounds(bai, case):
    text, expected = FILES[case]
    (bai.folder / "x.yaml").write_text(text, "utf-8")
    found = findings(bai, "x.yaml")
    assert found
    if expected:
        assert found == expected


@pytest.mark.parametrize(
    "part",
    [
        *"x$\"'`(|;&\\-/#= \n",
        "${",
        "$(",
        "AZ_BATCHAI_",
        "$AZ_BATCHAI_",
        "$AZ_BATCHAI_INPUT_X ",
        "$AZ_BATCHAI_JOB_MOUNT_ROOT/",
        "${mounts.x} ",
        "${inputs.",
        "apt install ",
        "password=",
        "sig=",
        "https://a:",
        "eyJaaaaaaaaaaaaaa.",
        "-----BEGIN PRIVATE KEY",
    ],
)
def test_long_command_lines(bai, part):
    text = json.dumps((part * MILLION)[: MILLION // 2])
    (bai.folder / "job.json").write_text(JOB % text)
    assert ("BAI202", 1, 2) in findings(bai, "job.json")
    (bai.folder / "spec.yaml").write_text(SPEC % text)
    findings(bai, "spec.yaml", code=None)


@pytest.mark.parametrize("style", ["{}", "'{}'", '"{}"', ">\n          {}", "|\n          {}"])
def test_blanks_in_command_lines(bai, style):
    """The search for the place of a finding looks at each blank once."""
    command = "apt install x" + " " * 60_000 + "y"
    spec = SPEC.replace("{command: %s}", "\n        command: %s")
    (bai.folder / "spec.yaml").write_text(spec % style.format(command))
    assert [code for code, *_ in findings(bai, "spec.yaml")] == ["BAI715"]


def test_many_fixes_in_a_long_text(bai):
    (bai.folder / "spec.yaml").write_text(SPEC % json.dumps("true" + "\u00a0}" * 45_000))
    assert {code for code, *_ in findings(bai, "spec.yaml")} == {"BAI709"}


def test_long_option_of_grep(bai):
    command = "python x.py | grep -" + "L" * 90_000 + "!"
    (bai.folder / "job.json").write_text(JOB % json.dumps(command))
    assert "BAI716" in [code for code, *_ in findings(bai, "job.json")]


def test_many_findings_in_a_long_line(bai):
    """Each is shown with a part of its line, and in JSON with all of it."""
    (bai.folder / "x.json").write_text("{" + '"\u00e9": "\u00e9", ' * 15_000 + '"x": 1}', "utf-8")
    assert [code for code, *_ in findings(bai, "x.json")].count("BAI109") == 200
    assert "BAI109" in bai.run("lint", "x.json", code=1, preexec_fn=limited).stdout


def test_long_arguments(bai):
    arguments = json.dumps("x > ~" + "/" * 100_000 + '"\n"')
    spec = SPEC.replace("custom: {command: %s}", "pyTorch: {script: x.py, args: %s}")
    (bai.folder / "spec.yaml").write_text(spec % arguments)
    assert [code for code, *_ in findings(bai, "spec.yaml")] == ["BAI710"]


def test_long_pattern_in_settings(bai):
    (bai.folder / "bai.toml").write_text(f'[lint]\nexclude = ["{"[" * 200_000}"]\n')
    (bai.folder / "job.json").write_text(JOB % '"true"')
    assert findings(bai, "job.json") == [("BAI202", 1, 2)]


def test_many_variables(bai):
    text = " ".join(f"$AZ_BATCHAI_INPUT_A{number}" for number in range(5_000))
    (bai.folder / "job.json").write_text(JOB % json.dumps(text))
    # A few hundred of a kind are reported.
    assert len([code for code, *_ in findings(bai, "job.json") if code == "BAI404"]) == 200


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "latin-1", "utf-8-sig"])
def test_encodings(encoding):
    found = lint("properties: é\n".encode(encoding), "x", "/", LintEnvironment())
    expected = ["BAI209"] if encoding in ("utf-16", "utf-8-sig") else ["BAI102", "BAI103"]
    assert found[0].code in expected


BINARY = [b"\xff\xfe", b"\xfe\xff\0", b"\xef\xbb\xbf", b"\xff", b"\0", b""]


@pytest.mark.parametrize("content", BINARY)
def test_no_text_at_all(content):
    assert lint(content, "x", "/", LintEnvironment())
    assert Linter().content(content, "x").findings


def test_places_in_what_can_not_be_decoded():
    found = lint(b"a: 1\rb: \xff\r\n", "x", "/", LintEnvironment())
    assert [(each.code, each.span.line, each.span.column) for each in found] == [("BAI102", 2, 4)]


def test_what_is_no_file(bai, monkeypatch):
    (bai.folder / "folder.yaml").mkdir()
    os.mkfifo(bai.folder / "pipe.yaml")
    listener = socket.socket(socket.AF_UNIX)
    monkeypatch.chdir(bai.folder)
    listener.bind("socket.yaml")
    listener.close()
    (bai.folder / "zero.yaml").symlink_to("/dev/zero")
    (bai.folder / "a.json").write_text(JOB % '"true"')
    assert findings(bai, ".") == findings(bai, "a.json")
    assert findings(bai, "pipe.yaml") == [("BAI110", 1, 1)]
    assert "it is a pipe with nothing in it" in bai.run("lint", "pipe.yaml", code=1).stdout
    assert "it is a device with nothing in it" in bai.run("lint", "/dev/null", code=1).stdout
    assert findings(bai, "socket.yaml") == [("BAI110", 1, 1)]
    assert findings(bai, "zero.yaml") == [("BAI108", 1, 1)]
    assert bai.run("lint", "folder.yaml").stdout == ""


def test_a_pipe_with_something_in_it(bai):
    done = subprocess.run(
        ["bash", "-c", f'"{bai.command[0]}" lint -o terse <(echo a: 1)'],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "BAI209" in done.stdout


@pytest.mark.parametrize("key", ["$schema", "id", "$ref", "$id"])
def test_nothing_is_fetched(bai, key):
    """No connection is made, wherever a file points."""
    reached = threading.Event()
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(60)

    def serve():
        try:
            connection, _ = server.accept()
        except OSError:
            return
        reached.set()
        connection.close()

    thread = threading.Thread(target=serve)
    thread.start()
    address = f"http://127.0.0.1:{server.getsockname()[1]}/2018-05-01/job.json"
    data = json.loads(JOB % '"true"')
    data[key] = data["properties"][key] = address
    (bai.folder / "job.json").write_text(json.dumps(data))
    spec = SPEC % "x"
    (bai.folder / "spec.yaml").write_text(f"# yaml-language-server: $schema={address}\n{spec}")
    (bai.folder / "key.yaml").write_text(f"{key}: {address}\n{spec}")
    for file in ("job.json", "spec.yaml", "key.yaml"):
        findings(bai, file, code=None)
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join()
    assert not reached.is_set()


def test_a_file_that_vanishes(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(JOB % '"true"')
    linter = Linter()
    assert linter.file(str(path)).findings
    path.unlink()
    assert linter.file(str(path), named=False).passed_over
    assert [each.code for each in linter.file(str(path)).findings] == ["BAI110"]


def test_a_file_that_changes_before_its_lines_are_shown(bai):
    """The lines of findings are read again, from what is there by then."""
    script = (
        "import sys\nfrom bai.cli.render import sources\n"
        "read = sources._read\n"
        "def shorter(path):\n    path.write_bytes(b'\\xff')\n    return read(path)\n"
        "sources._read = shorter\n"
        "from bai.cli.main import main\nsys.argv[1:] = ['lint', 'job.json']\nmain()\n"
    )
    (bai.folder / "job.json").write_text(JOB % '"true"')
    (bai.folder / "job.json").write_text(json.dumps(json.loads(JOB % '"true"'), indent=1))
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=bai.folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert "BAI202" in done.stdout


@pytest.mark.parametrize("case", FILES)
def test_the_quick_reader_leaves_it_to_the_other(case):
    text, _ = FILES[case]
    if case not in (
        "two marks",
        "long key in JSON",
        "many keys",
        "many documents",
        "comments",
        "long key",
    ):
        assert read_fast(text.encode()) is None


@pytest.mark.parametrize(
    ("content", "code", "place", "message"),
    [
        (JOB % r'"\ud800"', "BAI103", r'"\ud800"', r"the escape \ud800 is half a character"),
        ('a: 1\nb: "x\\udc00"\n', "BAI101", r"\udc00", r"the escape \udc00 is half a character"),
    ],
)
def test_half_a_character(content, code, place, message):
    (found,) = [
        each
        for each in Linter().content(content.encode(), "x.json").findings
        if "half" in each.message
    ]
    line = content.splitlines()[found.span.line - 1]
    assert (found.code, found.message) == (code, message)
    assert line[found.span.column - 1 :].startswith(place)


@pytest.mark.parametrize("sign", ["", "-"])
def test_a_number_of_thousands_of_digits(sign):
    number = sign + "9" * 5000
    text = f'{{"properties": {{"nodeCount": {number}}}}}'
    (found,) = [
        each
        for each in Linter().content(text.encode(), "job.json").findings
        if each.code == "BAI203"
    ]
    assert found.message == "nodeCount: expected a whole number, found a number of 5000 digits"
    assert found.hint == "write a whole number, such as 2"
    assert found.span.column == text.index(number) + 1
