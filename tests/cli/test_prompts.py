"""Questions on a terminal, and a standard input that is closed."""

import os
import subprocess

import pytest
from terminal import Terminal


@pytest.fixture
def changed(bai):
    """A job that runs no more, and a spec in which it differs."""
    bai.run("apply", bai.write(bai.custom("old", "true")))
    return bai.write(bai.custom("old", "echo new"))


def answered(bai, answer, *arguments):
    """Give an answer to the question of a command; return the terminal and the exit code."""
    terminal = Terminal(bai, *arguments)
    terminal.until("[y/N]: ")
    os.write(terminal.screen, answer.encode())
    return terminal.text, terminal.end()


QUESTION = "Start a new attempt in the place of job/old? [y/N]: "


@pytest.mark.parametrize("answer", ["n\n", "\n", "\x04", "what\nNo\n"])
def test_without_a_yes_nothing_is_done(bai, changed, answer):
    text, code = answered(bai, answer, "apply", changed)
    assert QUESTION in text
    assert code == 2
    assert "attempt 2" not in bai.run("describe", "job/old").stdout


@pytest.mark.parametrize("answer", ["y\n", "what\nYES\n"])
def test_a_yes(bai, changed, answer):
    assert answered(bai, answer, "apply", changed)[1] == 0
    assert "attempt 2" in bai.run("describe", "job/old").stdout


def test_ctrl_c_at_a_question(bai, changed):
    for arguments in (["apply", changed], ["delete", "job", "old"]):
        assert answered(bai, "\x03", *arguments)[1] == 130
    assert "attempt 2" not in bai.run("describe", "job/old").stdout


def test_questions_name_jobs_as_commands_take_them(bai):
    both = bai.custom("twin", "sleep 600")
    one, other = bai.write(both, name="one.yaml"), bai.write(both, name="other.yaml")
    other.write_text(other.read_text().replace("{name: test}", "{name: other}"))
    for spec in (one, other):
        bai.run("apply", "-d", spec)
    text, code = answered(bai, "n\n", "delete", "-f", one)
    assert code == 2
    assert "Delete job/test/twin, experiment/test? (job/test/twin is " in text
    refused = bai.run("delete", "job", "test/twin", code=2, stdin=subprocess.DEVNULL)
    assert refused.stderr.startswith("error: job/test/twin is ")


@pytest.mark.parametrize(
    "command",
    ["apply -", "diff -", "lint -", "compile -", "storage cp - azureFile:share/x", "lsp"],
)
def test_a_closed_standard_input_can_not_be_read(bai, command):
    done = bai.run(*command.split(), code=2, preexec_fn=close_standard_input)
    assert "standard input is closed: pipe something into it, or give" in done.stderr


@pytest.mark.parametrize("command", ["apply -", "lint -"])
def test_a_standard_input_that_is_only_for_writing(bai, command):
    handle = os.open(os.devnull, os.O_WRONLY)
    done = bai.run(*command.split(), code=2, stdin=handle)
    os.close(handle)
    assert "can't read standard input: " in done.stderr


def test_nobody_is_asked_on_a_closed_standard_input(bai):
    bai.run("apply", "-d", bai.write(bai.custom("long", "sleep 600")))
    bai.run("wait", "long", "--for", "running")
    closed = {"code": 2, "preexec_fn": close_standard_input}
    for arguments in (["delete", "job", "long"], ["delete", "workspace", "local"]):
        assert "job/long is running: add --yes" in bai.run(*arguments, **closed).stderr
    wanted = bai.write(bai.custom("long", "true"))
    assert "--rerun" in bai.run("apply", wanted, **closed).stderr
    removed = bai.run("storage", "rm", "-r", "azureFile:r", **closed)
    assert "job/long" in removed.stderr or "long (running)" in removed.stderr
    bai.run("delete", "job", "long", "--yes", preexec_fn=close_standard_input)


def close_standard_input():
    os.close(0)
