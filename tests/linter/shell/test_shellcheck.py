"""The real ShellCheck is asked, and its answers land where they belong."""

import json
import os
import shutil
import stat
import sysconfig

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.linter.driver.shellcheck import MAX_LENGTH, Run, ShellCheck
from bai.linter.shell.issues import find_issues
from bai.linter.shell.shellcheck import (
    ShellCheckIssue,
    is_plain,
    issues,
    without_duplicates,
)


@pytest.fixture(autouse=True)
def of_this_environment(monkeypatch):
    """ShellCheck is found where the tests' own Python is, whatever the caller's PATH says."""
    scripts = sysconfig.get_path("scripts")
    monkeypatch.setenv("PATH", scripts + os.pathsep + os.environ["PATH"])


def check(commands, timeout=20):
    """Return what one run says of commands, whatever they are."""
    return Run(shutil.which("shellcheck"), commands).answer(timeout)


def test_each_command_gets_its_own_complaints_at_their_places():
    commands = ["echo fine", "echo é; cd build\n\tmake [ a", "", 'rm -rf "$X/"*']
    first, second, third, fourth = check(commands)
    assert first == third == []
    assert [(commands[1][one.start : one.end], one.code) for one in second] == [
        ("cd build", "SC2164")
    ]
    assert [(commands[3][one.start : one.end], one.code) for one in fourth] == [
        ('"$X/"*', "SC2115")
    ]


def test_a_command_that_bash_refuses_is_an_error():
    (found,) = check(["if then"])
    assert {one.level for one in found} == {"error"}


@pytest.mark.parametrize(
    "command",
    [
        "apt update; apt install mpi-default-dev mpi-default-bin -y; pip install keras horovod",
        "bash $AZ_BATCHAI_JOB_MOUNT_ROOT/scripts/horovod/jobprep_benchmark.sh",
        "python train.py --dir $dir --epochs $EPOCHS",
        "cd $AZ_BATCHAI_JOB_TEMP; git clone https://host.example/x",
        'cd "${AZ_BATCHAI_JOB_TEMP}"; make -j$(nproc)',
        "for i in 1 2 3; do pip install x && break; done",
        "source activate py35; . /opt/intel/compilers_and_libraries/linux/mpi/bin64/mpivars.sh",
        "export PYTHONPATH=$(pwd):$PYTHONPATH",
        "pip install $(cat requirements.txt)",
    ],
)
def test_a_correct_command_line_is_left_alone(command):
    assert check([command]) == [[]]


def test_what_bai_finds_itself_is_not_reported_twice():
    command = "cd build; rm -rf * ; cd other; make"
    (found,) = check([command])
    assert [command[one.start : one.end] for one in found] == ["cd build", "cd other"]
    kept = without_duplicates(found, find_issues(command))
    assert [command[one.start : one.end] for one in kept] == ["cd other"]


def test_a_command_that_no_file_can_hold_is_survived():
    found = check(["echo \ud800; cd x", "a\0b", "cd x; ls"])
    assert [one.code for one in found[2]] == ["SC2164"]


def test_what_would_take_long_is_not_asked():
    commands = ["(" * 5_000, "cd x; " * MAX_LENGTH, "cd x; ls"]
    shell = ShellCheck()
    shell.prefetch(commands)
    assert [len(shell.issues(command)) for command in commands] == [0, 0, 1]


def test_a_trap_may_name_what_stays():
    assert check(['trap "cp log $AZ_BATCHAI_OUTPUT_MODEL" EXIT; true'])[0] == []


def test_settings_of_the_person_and_of_commands_do_not_matter(monkeypatch, tmp_path):
    (tmp_path / ".shellcheckrc").write_text("disable=SC2164\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert [one.code for one in check(["cd x; ls"])[0]] == ["SC2164"]


def test_without_shellcheck_there_is_no_answer(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(ShellCheck().issues("cd x; ls")) == []


ODD = ["exit 3", "kill $$", "exec sleep 60", "printf '\\377'"]
ODD += [f"echo '{answer}'" for answer in ("{}", "[1]", '{"comments": [{}]}')]


@pytest.mark.parametrize("script", ODD)
def test_an_odd_shellcheck_gives_no_answer(monkeypatch, tmp_path, script):
    fake = tmp_path / "shellcheck"
    fake.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert check(["cd x; ls"], timeout=0.5) is None


COMMENT = st.fixed_dictionaries(
    {
        "file": st.sampled_from(["0.sh", "1.sh", "9.sh", "x", ""]),
        **dict.fromkeys(["line", "endLine", "column", "endColumn"], st.integers(-1, 5) | st.none()),
        "code": st.integers(0, 9999) | st.text(),
        "level": st.sampled_from(["error", "warning"]),
        "message": st.text(),
    }
)


@given(st.lists(COMMENT, max_size=3), st.text())
def test_any_answer_is_understood_or_refused(comments, text):
    commands = ["echo\né", text]
    try:
        found = issues(json.dumps({"comments": comments}), commands)
    except ValueError:
        return
    for command, of_one in zip(commands, found, strict=True):
        assert all(0 <= one.start <= one.end <= len(command) for one in of_one)
        assert all(isinstance(one, ShellCheckIssue) for one in of_one)


@given(st.text() | st.recursive(st.none() | st.text(), st.lists).map(json.dumps))
def test_what_is_not_json1_is_refused(output):
    with pytest.raises(ValueError):
        issues(output, ["x"])


@pytest.mark.parametrize(
    "command",
    [
        "python train.py --lr 0.1",
        "python3  $AZ_BATCHAI_INPUT_SCRIPTS/train.py --data ${AZ_BATCHAI_INPUT_DATA}/x a=b,c @x +y",
        "pip install -r requirements.txt",
        "bash $AZ_BATCHAI_JOB_MOUNT_ROOT/prepare.sh",
        'pip install -r "$AZ_BATCHAI_INPUT_SCRIPTS/requirements.txt"',
        "sh",
    ],
)
def test_shellcheck_would_say_nothing_of_plain_commands(command):
    assert is_plain(command)
    if shutil.which("shellcheck"):
        assert check([command]) == [[]]


@pytest.mark.parametrize(
    "command",
    [
        "cd x",
        "python $HOME/x",
        "python 'x",
        "bash x | tee y",
        "python x\n",
        "pip install x; cd y",
        "",
    ],
)
def test_other_commands_are_not_plain(command):
    assert not is_plain(command)
