"""What `bai lint --fix` mends, and what it leaves to people."""

# ruff: noqa: RUF001

import pytest
from loading import ONE_JOB

from bai.linter.driver.fixing import fixed
from bai.linter.driver.linter import Linter

JOB = """\
{{
\t"properties": {{
\t\t"nodeCount": {nodes},   "{logs}":"$AZ_BATCHAI_JOB_TEMP",
\t\t"environmentVariables": [{{"name":{name},"value" :{value}}}],
\t\t"customToolkitSettings": {{"commandLine": "true"}}
\t}}
}}
"""
RIGHT = {"nodes": "1", "logs": "stdOutErrPathPrefix", "name": '"A"', "value": '"b"'}
SPEC = (
    ONE_JOB
    + """\
      mounts: {r: azureFile:r}
      logs: ${mounts.r}
"""
)
WHOLE = "      nodeCount: 1\n      custom: {command: hostname}\n"
"""What a job needs beside the rest, so that it is compiled."""


def mended(tmp_path, name, text):
    """Return the text of a file with all fixes made, and how many there were."""
    path = tmp_path / name
    path.write_bytes(text.encode())
    linter = Linter()
    result = fixed(linter, linter.file(str(path)))
    if not result:
        return text, 0
    result.write()
    return path.read_bytes().decode(), result.count


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ({"logs": "stdOutErrPathPrefx"}, {}),
        ({"logs": "stdouterrpathprefix"}, {}),
        ({"nodes": '"1"'}, {}),
        ({"logs": "logs"}, {}),
        ({"nodes": '"-12"'}, {"nodes": "-12"}),
        ({"value": "1.50"}, {"value": '"1.50"'}),
        ({"value": "true"}, {"value": '"true"'}),
        ({"value": "-2e+3", "name": "0"}, {"value": '"-2e+3"', "name": '"0"'}),
    ],
)
def test_files_for_batch_ai(tmp_path, wrong, right):
    text = JOB.format_map(RIGHT | wrong)
    expected = JOB.format_map(RIGHT | right)
    assert mended(tmp_path, "job.json", text) == (expected, len(wrong))


@pytest.mark.parametrize(
    "wrong",
    [
        {"nodes": '"two"'},
        {"nodes": '"01"'},
        {"nodes": '" 1"'},
        {"nodes": '"\\u0031"'},
        {"nodes": "1.0"},
        {"nodes": "\"[parameters('n')]\""},
        {"logs": "prefix"},
        {"logs": "stdOutErrPathPref\\u0078"},
        {"value": "null"},
        {"value": "[1]"},
    ],
)
def test_what_may_mean_something_else_stays(tmp_path, wrong):
    text = JOB.format_map(RIGHT | wrong)
    assert mended(tmp_path, "job.json", text) == (text, 0)


def test_names_of_other_tools(tmp_path):
    text = (
        "properties:\n  replicas: 1\n  stdOutErrPathPrefix: $AZ_BATCHAI_JOB_TEMP\n"
        "  constraints: {timeLimit: 12h}\n  env: {A: '1'}  # has another form\n"
        "  inputDirectories: [{name: IN, path: $AZ_BATCHAI_JOB_TEMP}]\n"
        "  customToolkitSettings: {command: ls $AZ_BATCHAI_INPUT_IN}\n"
    )
    expected = (
        text.replace("replicas", "nodeCount")
        .replace("timeLimit: 12h", "maxWallClockTime: PT12H")
        .replace("name: IN", "id: IN")
    )
    assert mended(tmp_path, "job.yaml", text) == (expected, 4)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("High", "high"),
        ("LOW", "low"),
        ("norml", "normal"),
        ("urgent", "urgent"),
        ("\\u0048igh", "\\u0048igh"),
    ],
)
def test_words_of_batch_ai(tmp_path, wrong, right):
    before, after = (
        JOB.format_map(RIGHT | {"nodes": f'1, "schedulingPriority":"{each}"'})
        for each in (wrong, right)
    )
    assert mended(tmp_path, "job.json", before) == (after, int(wrong != right))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("kind: experiment", "kind: Experiment"),
        ("kind:  'EXPERIMENT' # one", "kind:  'Experiment' # one"),
        ("apiVersion: BAI/v1", "apiVersion: bai/v1"),
        ("apiVersion: bai/v2", None),
        ("kind: Job", None),
    ],
)
def test_kinds(tmp_path, wrong, right):
    key = wrong.partition(":")[0]
    lines = (SPEC + WHOLE).splitlines(keepends=True)
    at = next(index for index, line in enumerate(lines) if line.startswith(key))
    before, after = (
        "".join([*lines[:at], f"{each}\n", *lines[at + 1 :]]) for each in (wrong, right or wrong)
    )
    assert mended(tmp_path, "x.yaml", before) == (after, int(right is not None))


def test_a_key_is_not_renamed_to_one_that_is_there(tmp_path):
    text = JOB.format_map(RIGHT | {"logs": 'stdOutErrPathPrefix": "a", "stdOutErrPathPrefx'})
    assert mended(tmp_path, "job.json", text) == (text, 0)


def test_yaml_for_batch_ai(tmp_path):
    text = (
        "properties:\n  'nodeCount': '1'\t# one\n  stdOutErrPathPrefix: x\r\n"
        "  customToolkitSetings: {commandLine: 'true'}\n"
        "  environmentVariables:\n  - {name: A, value: 1.50 }\n  - name: B\n    value: True\n"
    )
    expected = (
        text.replace("'1'", "1")
        .replace("Setings", "Settings")
        .replace("1.50", '"1.50"')
        .replace("True", '"True"')
    )
    assert mended(tmp_path, "job.yaml", text) == (expected, 4)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("      nodes: '1'  # one\n", "      nodeCount: 1  # one\n"),
        ("      replicas: 1\n", "      nodeCount: 1\n"),
        ("      priority: High\n", "      priority: high\n"),
        ('      nodeCount: "2" # two\n', "      nodeCount: 2 # two\n"),
        ("      preperation: x\n", "      preparation: x\n"),
        ("      'Preparation': x\n", "      'preparation': x\n"),
        ("      env: {A: 1}\n", "      environment: {A: 1}\n"),
        (
            f"{WHOLE}      environment: {{API_TOKEN: env:API_TOKEN, X: env:Y}} # two\n",
            f"{WHOLE}      secrets: {{API_TOKEN: env:API_TOKEN, X: env:Y}} # two\n",
        ),
        (
            '      "horovodSettings": {pythonScriptFilePath: a.py, processCont: 2}\n',
            '      "horovod": {script: a.py, processCount: 2}\n',
        ),
    ],
)
def test_specs(tmp_path, wrong, right):
    assert mended(tmp_path, "spec.yaml", SPEC + wrong)[0] == SPEC + right


@pytest.mark.parametrize(
    "wrong",
    [
        "      container: {image: 'a/b'}\n",
        "      jobPreparation: {commandLine: x}\n",
        "      nodeCount: '2.0'\n",
        "      nodeCount: &n '2'\n",
        "      nodeCount: !!str 2\n",
        "      arg: x\n",
    ],
)
def test_what_only_people_know(tmp_path, wrong):
    assert mended(tmp_path, "spec.yaml", SPEC + wrong) == (SPEC + wrong, 0)


def test_addresses_of_schemas_old_keys_and_placeholders(tmp_path):
    text = """{
  "$schema": "https://raw.githubusercontent.com/Azure/BatchAI/master/schemas/2018-03-01/job.json",
  "properties": {
    "nodeCount": 1,
    "priority": "low",
    "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/logs",
    "mountVolumes": {"azureFileShares": [{
      "accountName": "<AZURE_BATCHAI_STORAGE_ACOUNT>",
      "azureFileUrl": "https://<AZURE_BATCHAI_STORAGE_ACCOUNT>.file.core.windows.net/logs",
      "relativeMountPath": "logs"
    }]},
    "customToolkitSettings": {"commandLine": "hostname"}
  }
}
"""
    expected = (
        text.replace("2018-03-01", "2018-05-01")
        .replace('"priority"', '"schedulingPriority"')
        .replace("_ACOUNT", "_ACCOUNT")
    )
    assert mended(tmp_path, "job.json", text) == (expected, 3)


def test_two_keys_that_mean_the_same_are_for_a_person_to_choose_from(tmp_path):
    text = SPEC + "      custom: {command: hostname}\n      nodes: 2\n      nodecount: 1\n"
    assert mended(tmp_path, "spec.yaml", text) == (text, 0)
    text = """{
  "properties": {
    "nodecount": 1,
    "NodeCount": 2,
    "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_TEMP",
    "customToolkitSettings": {"commandLine": "hostname"}
  }
}
"""
    assert mended(tmp_path, "job.json", text) == (text, 0)


def test_a_priority_that_was_a_number_is_for_a_person_to_name(tmp_path):
    text = """{
  "properties": {
    "nodeCount": 1,
    "priority": 0,
    "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_TEMP",
    "customToolkitSettings": {"commandLine": "hostname"}
  }
}
"""
    assert mended(tmp_path, "job.json", text) == (text, 0)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("preparation: apt install x", "preparation: apt install -y x"),
        ("preparation: 'echo \"a\"; apt-get install x' # b", None),
        ('preparation: "echo \\"\\u00e9\\";\\tapt-get install x"', None),
        ("preparation: |\n        apt update\n        apt-get install x\n", None),
        ("preparation: >-\n        apt-get\n        install x;\n        apt-get install y", None),
        ("preparation: cp ${mounts.r}/a .; apt-get install x", None),
        ("preparation: &p apt-get install x", None),
        ("preparation: bash -c 'apt-get install'", None),
        ("preparation: apt-get\n        install", None),
        ("custom: {command: sudo apt-get install}", None),
    ],
)
def test_apt_gets_the_option_that_asks_nothing(tmp_path, wrong, right):
    rest = "" if "custom" in wrong else "      custom: {command: hostname}\n"
    text = SPEC + rest + "      nodeCount: 1\n      " + wrong + "\n"
    right = right or wrong.replace("install", "install -y")
    expected = text.replace(wrong, right)
    assert mended(tmp_path, "spec.yaml", text) == (expected, wrong.count("install"))


@pytest.mark.parametrize(
    "wrong",
    [
        "apt-get ${mounts.r}",
        "&a apt-get",
    ],
)
def test_apt_that_does_not_ask_stays(tmp_path, wrong):
    text = SPEC + "      nodeCount: 1\n      custom: {command: hostname}\n"
    text += f"      preparation: {wrong}\n"
    assert mended(tmp_path, "spec.yaml", text) == (text, 0)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("12:00:00", "PT12H"),
        ("7.00:00:00", "P7D"),
        ("1.06:30:05", "P1DT6H30M5S"),
        ("\\u0031:00:00", "PT1H"),
        ("12h", "PT12H"),
        ("1h30m", "PT1H30M"),
        ("8d", None),
        ("12 hours", None),
        ("8.00:00:00", None),
        ("00:00:00", None),
        ("12:00", None),
    ],
)
def test_time_limits_as_others_write_them(tmp_path, wrong, right):
    constraints = '"nodeCount": 1, "constraints" : {"maxWallClockTime":"%s" }'
    text = JOB.format_map(RIGHT).replace('"nodeCount": 1', constraints % wrong)
    expected = text.replace(wrong, right or wrong)
    assert mended(tmp_path, "job.json", text) == (expected, int(right is not None))


@pytest.mark.parametrize("quote", ["", "'", '"'])
def test_time_limits_in_yaml(tmp_path, quote):
    text = (
        "properties:\n  nodeCount: 1\n  stdOutErrPathPrefix: $AZ_BATCHAI_JOB_TEMP\n"
        "  customToolkitSettings: {commandLine: hostname}\n"
        f"  constraints: {{maxWallClockTime: {quote}12:00:00{quote}}}  # half a day\n"
    )
    assert mended(tmp_path, "job.yaml", text) == (text.replace("12:00:00", "PT12H"), 1)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("args: —epochs 3", "args: --epochs 3"),
        ('args: "—epochs “a b”"', 'args: "--epochs \\"a b\\""'),
        ('args: "\\u2014epochs ‘a b’"', "args: \"--epochs 'a b'\""),
        ("args: '—epochs ‘a b’'", "args: '--epochs ''a b'''"),
        ("args: >-\n          -n “${mounts.r}/a”\n          —epochs 3", None),
        ("args: “a b” –lr 1", "args: “a b” --lr 1"),
    ],
)
def test_characters_pasted_from_documents(tmp_path, wrong, right):
    right = right or wrong.replace("“", '"').replace("”", '"').replace("—", "--")
    head = SPEC + "      nodeCount: 1\n      horovod:\n        script: /t.py\n        "
    mended_text, count = mended(tmp_path, "spec.yaml", f"{head}{wrong}\n")
    assert mended_text == f"{head}{right}\n"
    assert count


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("script: “/t.py”", "script: /t.py"),
        ("script: „/t.py“", "script: /t.py"),
        ("script: ‘${mounts.r}/t.py’", "script: ${mounts.r}/t.py"),
        ('script: "«/t.py»"', 'script: "/t.py"'),
        ("script: /a“b”.py", "script: /a“b”.py"),
    ],
)
def test_quotes_of_word_processors_around_a_value(tmp_path, wrong, right):
    head = SPEC + "      nodeCount: 1\n      horovod:\n        "
    mended_text, count = mended(tmp_path, "spec.yaml", f"{head}{wrong}\n")
    assert mended_text == f"{head}{right}\n"
    assert count == (wrong != right)


@pytest.mark.parametrize(
    "wrong",
    [
        "custom: {command: 'ls $mounts.r $(mounts.r)/a $mounts.r'}",
        "custom:\n        command: |\n          cd $mounts.r\n          ls $mounts.r/b",
        "environment: {A: '$mounts.r:$mounts.r'}",
    ],
)
def test_references_without_braces(tmp_path, wrong):
    right = wrong.replace("(mounts.r)", "mounts.r").replace("$mounts.r", "${mounts.r}")
    head = bare_head(wrong)
    assert mended(tmp_path, "spec.yaml", f"{head}{wrong}\n")[0] == f"{head}{right}\n"


@pytest.mark.parametrize(
    "text",
    [
        "custom:\n        command: mounts=a; ls $mounts.r",
        "custom: {command: 'ls $$mounts.r \\$mounts.r $mounts.other $mounts $mounts.r-x'}",
        # Braces would need quotes there.
        "custom: {command: ls $mounts.r}",
    ],
)
def test_what_may_be_no_reference_stays(tmp_path, text):
    text = f"{bare_head(text)}{text}\n"
    assert mended(tmp_path, "spec.yaml", text) == (text, 0)


def bare_head(text):
    rest = "" if "custom" in text else "      custom: {command: hostname}\n"
    return f"{SPEC}      nodeCount: 1\n{rest}      "


def test_a_word_of_a_list_is_mended_in_its_item(tmp_path):
    spec = SPEC + "      nodeCount: 1\n      horovod: {script: a.py, args: [–epochs, 10, 'a –b']}\n"
    text, count = mended(tmp_path, "spec.yaml", spec)
    assert text == spec.replace("[–epochs", "[--epochs")
    assert count == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("horovod: {script: a.py, workerCount: 2}", "horovod: {script: a.py, processCount: 2}"),
        (
            "tensorFlow: {script: a.py, processCount: 2}",
            "tensorFlow: {script: a.py, workerCount: 2}",
        ),
        ("horovod: {script: a.py, workerArgs: b}", "horovod: {script: a.py, args: b}"),
        ('pyTorch: {script: a.py, backend: "Gloo"}', 'pyTorch: {script: a.py, backend: "gloo"}'),
        ("cntk: {config: a, language: BrainScript}", "cntk: {config: a, language: brainScript}"),
        (
            "chainer: {script: a.py, processesPerNode: GPU}",
            "chainer: {script: a.py, processesPerNode: gpu}",
        ),
        (
            "custom: {command: a}\n      container: {image: ubuntu, shmSize: 8GB}",
            "custom: {command: a}\n      container: {image: ubuntu, shmSize: 8g}",
        ),
        (
            "custom: {command: a}\n      outputs: {A: {path: /b, pathSuffix: c}}",
            "custom: {command: a}\n      outputs: {A: {path: /b, suffix: c}}",
        ),
    ],
)
def test_other_names_and_spellings_become_those_of_the_language(tmp_path, before, after):
    spec = SPEC + f"      nodeCount: 1\n      {before}\n"
    text, count = mended(tmp_path, "spec.yaml", spec)
    assert (text, count) == (spec.replace(before, after), 1)


def test_a_size_in_gb_gets_its_unit_and_its_name(tmp_path):
    disks = "disks: {count: 1, sizeGB: 64, type: Premium_LRS}"
    head = "kind: FileServer\nmetadata: {name: nfs}\nspec:\n  vmSize: STANDARD_DS2_V2\n"
    spec = f"apiVersion: bai/v1\n{head}  {disks}\n  user: {{name: u, sshKey: k}}\n"
    text, count = mended(tmp_path, "spec.yaml", spec)
    assert text == spec.replace(disks, "disks: {count: 1, size: 64g, type: premium}")
    assert count == 2
