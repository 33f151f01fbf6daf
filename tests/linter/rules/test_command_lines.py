"""Mistakes in command lines, at their place in the file."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linting import lint

from bai.compiler.compilation import Defaults
from bai.compiler.resources.ids import Kind
from bai.linter.driver.shellcheck import ShellCheck
from bai.linter.environment import LintEnvironment
from bai.linter.facts.command_lines import commands, shell_issues
from bai.linter.fixes import apply_fixes
from bai.linter.resource_view import ResourceView
from bai.linter.shell.shellcheck import ShellCheckIssue

DEFAULTS = Defaults("s", "g", "w", "l")
SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: x}
spec:
  clusters: {gpu: {vmSize: STANDARD_NC6, scale: 1}}
  jobs:
    train:
      nodeCount: 1
      mounts: {data: "azureFile:data"}
      logs: ${mounts.data}
"""


def found(text, name="experiment.yaml", shell=None):
    surroundings = LintEnvironment(lambda: DEFAULTS, shell=shell)
    return [
        (finding.code, excerpt(text, finding.span))
        for finding in lint(text.encode(), name, "/project", surroundings)
    ]


def excerpt(text, span):
    first, *rest = text.split("\n")[span.line - 1 : span.end_line]
    end = span.end_column - 1
    if not rest:
        return first[span.column - 1 : end]
    return "\n".join([first[span.column - 1 :], *rest[:-1], rest[-1][:end]])


@pytest.mark.parametrize(
    ("job", "code", "part"),
    [
        ("preparation: apt update; apt install openmpi-bin", "BAI715", "apt install"),
        ('preparation: "echo \\"a\\"; apt\\tinstall x"', "BAI715", "apt\\tinstall"),
        ("preparation: |\n  # apt install x\n  apt-get install x\n", "BAI715", "apt-get install"),
        (
            "preparation: >-\n  pip install -r\n  ${mounts.data}/all.txt;\n  apt install x\n",
            "BAI715",
            "apt install",
        ),
        ("custom: {command: 'make ''a b'' | tee x'}", "BAI716", "make ''a b'' | tee x"),
        ("custom:\n  command: rm -r ${mounts.data}/$X\n", "BAI717", "$X"),
        ("custom:\n  command: |\n    cd build\n    rm -rf *\n", "BAI718", "cd build"),
        ("custom: {command: bash -c 'apt install x'}", "BAI715", "apt install"),
        ("custom: {command: 'echo it''s'}", "BAI708", "''"),
        ('preparation: "echo \\"a"', "BAI708", '\\"'),
        ("preparation: |\n  make\n  && make install\n", "BAI708", "&&"),
        ("preparation: >-\n  make &&\n  make install &&\n", "BAI708", "&&"),
        ("customMpi: {command: 'python $(cat ${mounts.data}/name'}", "BAI708", "$("),
    ],
)
def test_a_mistake_is_found_where_it_stands(job, code, part):
    custom = "" if "custom" in job else "custom: {command: hostname}\n"
    text = SPEC + "".join(f"      {line}\n" for line in f"{custom}{job}".splitlines())
    assert found(text) == [(code, part)]


FOLDED = [
    ("custom:\n  command: >\n    python train.py «\\»\n    --lr 0.1\n", "BAI742"),
    ("custom:\n  command: >\n    make «\\»\n    && ls\n", "BAI742"),
    ("custom:\n  command: python train.py «\\»\n    data\n", "BAI742"),
    ("custom:\n  command: python train.py «\\» --lr 0.1\n", "BAI742"),
    ("custom:\n  command: |\n    make «\\ »\n    install\n", "BAI742"),
    ("pyTorch:\n  script: /s.py\n  args: >-\n    --a 1 «\\»\n    --b 2\n", "BAI742"),
    ("custom:\n  command: >\n    cat «<<EOF» > x\n    a\n    EOF\n", "BAI740"),
    ("custom:\n  command: |\n    cat «<<EOF» > x\n    a\n      EOF\n    make\n", "BAI740"),
    ("preparation: pip install «torch>=1.0»\ncustom: {command: make}", "BAI741"),
]


@pytest.mark.parametrize(("marked", "code"), FOLDED)
@pytest.mark.parametrize("shell", [None, ShellCheck()])
def test_what_yaml_does_to_lines_is_known(marked, code, shell):
    job = "".join(f"      {line}\n" for line in marked.splitlines())
    text = SPEC + job
    start, end = text.index("«"), text.index("»") - 1
    text = text.replace("«", "").replace("»", "")
    assert found(text, shell=shell) == [(code, text[start:end])]


def test_dashes_within_arguments_and_invisible_characters_are_reported():
    text = SPEC + "      preparation: cp a\u200b b\n"
    text += "      pyTorch: {script: /s.py, args: --batch\u2013size 3 --lr 1e\u20134}\n"
    assert found(text) == [("BAI709", "\u200b"), ("BAI709", "\u2013"), ("BAI709", "\u2013")]


@pytest.mark.parametrize(
    ("command", "part", "fixed"),
    [
        ("pip install requirements.txt", "requirements.txt", "pip install -r requirements.txt"),
        ("pip install -q 'a b.txt' x", "'a b.txt'", "pip install -q -r 'a b.txt' x"),
        ("conda install -y all.txt", "all.txt", "conda install -y --file all.txt"),
    ],
)
def test_a_list_of_requirements_without_its_option_is_reported(command, part, fixed):
    text = SPEC + f'      custom: {{command: "{command}"}}\n'
    assert found(text) == [("BAI741", part)]
    (finding,) = lint(text.encode(), "experiment.yaml", "/", LintEnvironment(lambda: DEFAULTS))
    assert apply_fixes(text, [finding.fix]) == (text.replace(command, fixed), 1)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("python a.py &", "BAI745"),
        ("nohup python a.py > log 2>&1 &\n", "BAI745"),
        ("python a.py; echo ended", "BAI716"),
        ("$ python a.py", "BAI709"),
        ("!pip install x", "BAI709"),
        ("make\n$ python a.py", "BAI709"),
        ("python a.py & python b.py & wait", None),
        ("python b.py & python a.py", None),
        ("python a.py && echo done", None),
        ("! grep -q x y && $X a", None),
    ],
)
def test_what_is_wrong_with_the_whole_line(command, code):
    text = SPEC + f"      custom: {{command: {json.dumps(command)}}}\n"
    assert [each for each, _ in found(text, shell=ShellCheck())] == ([code] if code else [])


@pytest.mark.parametrize("text", ["service x start &", "python a.py; echo ended"])
def test_a_preparation_may_leave_work_behind(text):
    job = f"      preparation: {text}\n      custom: {{command: hostname}}\n"
    assert found(SPEC + job) == []


@pytest.mark.parametrize("text", ["echo “a”", "cp \"the “a”\" 'b\u2018c'", "make && echo done"])
def test_what_shellcheck_takes_for_an_error_is_left_alone(text):
    job = f"      custom: {{command: {json.dumps(text)}}}\n"
    assert found(SPEC + job, shell=ShellCheck()) == []


def test_prompts_are_removed():
    (finding,) = lint(
        (SPEC + "      custom: {command: $ python a.py}\n").encode(),
        "x.yaml",
        "/project",
        LintEnvironment(lambda: DEFAULTS),
    )
    ((edit),) = finding.fix.edits
    assert (edit.text, edit.span.end_column - edit.span.column) == ("", 2)


def test_a_character_is_reported_once():
    text = SPEC + "      custom: {command: echo it; cp “a b” c}\n"
    assert found(text, shell=ShellCheck()) == [("BAI709", "“a b”")]


def test_a_mistake_in_batch_ais_own_files_is_found():
    properties = {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/logs",
        "jobPreparation": {"commandLine": 'echo "\u00e9";\tapt install x'},
        "customToolkitSettings": {"commandLine": 'cp "$A" $B $C'},
        "environmentVariables": [{"name": "C", "value": "one"}],
    }
    text = json.dumps({"properties": properties})
    assert found(text, "job.json") == [("BAI715", "apt install"), ("BAI717", "$B")]
    setup = {"commandLine": "apt install x", "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/m"}
    disk = {"mountCommand": "mount /dev/sdc", "relativeMountPath": "m"}
    mounts = {"unmanagedFileSystems": [disk]}
    properties = {
        "vmSize": "STANDARD_NC6",
        "userAccountSettings": {"adminUserName": "me", "adminUserSshPublicKey": "ssh-rsa AAAA"},
        "scaleSettings": {"manual": {"targetNodeCount": 1}},
        "nodeSetup": {"setupTask": setup, "mountVolumes": mounts},
    }
    text = json.dumps({"properties": properties}, indent=1)
    assert found(text, "cluster.json") == [("BAI715", "apt install")]


def test_a_variable_of_one_word_needs_no_quotes():
    job = "      environment: {A: one, B: one two}\n      custom: {command: cp $A $B x}\n"
    assert found(SPEC + job) == [("BAI717", "$B")]


def test_a_mounted_folder_is_there():
    command = "      custom: {command: 'cd ${mounts.data}; rm -rf old'}\n"
    assert found(SPEC + command) == []
    assert found(SPEC + command.replace("};", "}/x;")) == [("BAI718", "cd ${mounts.data}/x")]


def test_shellcheck_is_asked_where_it_is_there():
    text = (
        SPEC
        + "      custom:\n        command: |\n          echo a\n          if [ x = ]; then b; fi\n"
    )
    assert found(text) == []
    codes = found(text, shell=ShellCheck())
    assert codes
    assert {code for code, _ in codes} == {"BAI720"}
    assert all(part in "if [ x = ]; then b; fi" for _, part in codes)


@pytest.mark.parametrize(
    "marked",
    [
        "for i in 1 2; «echo» $i; done",
        "if true; echo x; «fi»",
        "while true; sleep 1; «done»",
        "if [ 1 ]; then «fi»",
        "a«;;» b",
        "echo («x»)",
        "«[[ a = b»",
        "«fi»",
        "«else»",
        "«esac»",
        "«then» echo",
        "until false do x; «done»",
        "«case x in a) y;;»",
        "foo() «echo»",
    ],
)
def test_what_only_bash_finds_unreadable_is_reported(marked):
    command = marked.replace("«", "").replace("»", "")
    text = SPEC + f"      custom: {{command: {json.dumps(command)}}}\n"
    part = marked.partition("«")[2].partition("»")[0]
    assert found(text, shell=ShellCheck()) == [("BAI708", part)]


def test_bash_names_the_line():
    text = SPEC + "      custom:\n        command: |\n          make\n          echo (x)\n"
    (finding,) = lint(
        text.encode(), "x.yaml", "/", LintEnvironment(lambda: DEFAULTS, shell=ShellCheck())
    )
    assert (finding.span.line, excerpt(text, finding.span)) == (14, "x")
    assert finding.message == "bash refuses this: near unexpected token 'x'"
    assert finding.hint == "quote the parentheses if they are a part of an argument"


@pytest.mark.parametrize(
    "command",
    [
        "case x in a) y;; esac; for i in 1 2; do echo $i; done",
        "f() { echo x | cat; }",
        "shopt -s extglob; ls !(x)",
        "X=(1 2); [[ a =~ (b|c) ]] && echo ${X[@]}; (cd x && ls)",
        "if true; then python train.py <your-arguments>; fi",
    ],
)
def test_what_bash_reads_or_a_person_fills_in_is_left_alone(command):
    text = SPEC + f"      custom: {{command: {json.dumps(command)}}}\n"
    assert "BAI708" not in [code for code, _ in found(text, shell=ShellCheck())]


def test_bash_runs_nothing_and_takes_no_settings(monkeypatch, tmp_path):
    made = tmp_path / "made"
    (tmp_path / "env").write_text(f"touch {made}\n")
    monkeypatch.setenv("BASH_ENV", str(tmp_path / "env"))
    command = f"if true; then touch {made}; fi; a;; b"
    assert ShellCheck().parse_error(command) is not None
    assert not made.exists()


def test_without_bash_nothing_is_asked(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ShellCheck().parse_error("fi") is None


class Answers:
    """A ShellCheck that says of every command what it was given."""

    def __init__(self, *issues):
        self.said = issues

    def prefetch(self, commands):
        pass

    def issues(self, command):
        return self.said

    def parse_error(self, command):
        return None


def test_shellchecks_code_and_words_are_reported():
    shell = Answers(ShellCheckIssue(5, 7, "SC2046", "warning", "Quote this."))
    text = SPEC + "      custom: {command: echo ab}\n"
    (finding,) = lint(
        text.encode(), "x.yaml", "/project", LintEnvironment(lambda: DEFAULTS, shell=shell)
    )
    assert (finding.code, finding.message) == ("BAI720", "SC2046 Quote this")
    assert finding.hint == "see https://www.shellcheck.net/wiki/SC2046"
    assert excerpt(text, finding.span) == "ab"


def test_what_a_rule_says_shellcheck_need_not_say_again():
    shell = Answers(ShellCheckIssue(0, 8, "SC2164", "warning", "Use cd ... || exit"))
    text = SPEC + "      custom: {command: cd build; rm -rf *}\n"
    assert found(text, shell=shell) == [("BAI718", "cd build")]


def test_what_cannot_be_read_is_reported_once():
    text = SPEC + '      custom: {command: cd build; rm -rf *; echo "a}\n'
    text = text.replace('"a}', "'a'' &&}")
    assert found(text, shell=ShellCheck()) == [("BAI708", "'")]


def test_what_a_template_computes_is_no_command_line():
    command = "[concat('python ', parameters(\"script), ' &&')]"
    properties = {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/logs",
        "customToolkitSettings": {"commandLine": command},
    }
    text = json.dumps({"properties": properties})
    assert [code for code, _ in found(text, "job.json")] == ["BAI208"]
    written = text.replace("[concat", "concat")
    assert [code for code, _ in found(written, "job.json")] == ["BAI708"]


@pytest.fixture
def fake_shellcheck(monkeypatch, tmp_path):
    """Put a program in ShellCheck's place: `answer` is its script, `asked()` what it was given."""
    runs = tmp_path / "runs"
    program = tmp_path / "shellcheck"

    def answer(script):
        program.write_text(f"#!/bin/sh\necho $(PATH=/bin:/usr/bin cat ?.sh) >> {runs}\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))

    def asked():
        return runs.read_text().splitlines()

    return answer, asked


def test_commands_are_asked_about_once_and_together(fake_shellcheck):
    answer, asked = fake_shellcheck
    answer("""echo '{"comments": []}'""")
    shell = ShellCheck()
    shell.prefetch(["a", "b", "a"])
    shell.prefetch(["b", "c"])
    assert list(shell.issues("a")) == list(shell.issues("d")) == []
    assert sorted(asked()) == ["ab", "c", "d"]


def test_what_does_not_answer_is_asked_once(fake_shellcheck):
    answer, asked = fake_shellcheck
    answer("exit 3")
    shell = ShellCheck()
    assert list(shell.issues("a")) == list(shell.issues("b")) == []
    assert asked() == ["a"]


def test_a_run_that_nothing_asks_about_is_ended(fake_shellcheck):
    answer, _ = fake_shellcheck
    answer("exec sleep 600")
    shell = ShellCheck()
    shell.prefetch(["a"])
    [run] = shell._runs
    folder, pid = Path(run._folder.name), run._process.pid
    assert folder.exists()
    shell.stop()
    assert not folder.exists()
    assert not Path(f"/proc/{pid}").exists()


def test_the_commands_of_a_resource_are_known_before_it_is_checked():
    wire = {
        "properties": {
            "jobPreparation": {"commandLine": "a"},
            "customMpiSettings": {"commandLine": "b"},
            "customToolkitSettings": {"commandLine": 3},
        }
    }
    assert commands(ResourceView(Kind.JOB, wire)) == ["a", "b"]
    assert commands(ResourceView(Kind.CLUSTER, wire)) == []
    assert commands(ResourceView(Kind.JOB, ["x"])) == []


@given(st.text("apt install|rmcd $X\"'`(){};&<\n\\", max_size=60), st.booleans())
def test_any_command_gives_findings_within_it(command, quoted):
    names = [{"name": "X", "value": "y"}] if quoted else [{"name": 3}, None]
    wire = {"properties": {"environmentVariables": names}}
    for mistake in shell_issues(ResourceView(Kind.JOB, wire), command):
        assert 0 <= mistake.start < mistake.end <= len(command)
    text = SPEC + f"      custom: {{command: {json.dumps('x' + command)}}}\n"
    assert {code for code, _ in found(text)} <= {
        "BAI701",
        "BAI708",
        "BAI745",
        *(f"BAI{n}" for n in range(715, 719)),
        *(f"BAI{n}" for n in range(740, 743)),
    }
