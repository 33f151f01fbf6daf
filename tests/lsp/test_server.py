"""`bai lsp` as editors meet it: a real process, the real protocol."""

import shlex
import subprocess
import sys

import pytest
from lsprotocol import types
from packaging.requirements import Requirement

RIGHT = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: digits}
spec:
  clusters:
    gpu: {vmSize: STANDARD_NC6, scale: 2}
  jobs:
    train:
      cluster: gpu
      nodeCount: 2
      mounts: {data: "azureFile://acc/data"}
      inputs: {SET: "${mounts.data}/set"}
      logs: ${mounts.data}
      horovod: {script: $AZ_BATCHAI_INPUT_SET/train.py}
"""


def at(text, piece, offset=0):
    """Return the position of a piece of text, in UTF-16 units."""
    before = text[: text.index(piece) + offset]
    line = before.count("\n")
    column = before.rpartition("\n")[2]
    return types.Position(line, len(column.encode("utf-16-le")) // 2)


def around(text, piece):
    return types.Range(at(text, piece), at(text, piece, len(piece)))


def applied(text, edit):
    lines = text.split("\n")
    assert edit.range.start.line == edit.range.end.line
    line = lines[edit.range.start.line]
    first, last = edit.range.start.character, edit.range.end.character
    lines[edit.range.start.line] = line[:first] + edit.new_text + line[last:]
    return "\n".join(lines)


def test_findings_come_and_go(edit):
    wrong = RIGHT.replace("nodeCount", "nodecount")

    async def session(editor):
        assert await editor.open(RIGHT) == []
        editor.change(wrong)
        version, (found,) = await editor.checked()
        assert version == 2
        assert found.range == around(wrong, "nodecount")
        assert (found.code, found.source) == ("BAI201", "bai")
        assert found.severity == types.DiagnosticSeverity.Error
        assert "did you mean nodeCount?" in found.message
        editor.change(RIGHT, version=3)
        assert (await editor.checked())[1] == []

    edit(session)


def test_only_the_last_of_quick_changes_is_reported(edit):
    async def session(editor):
        await editor.open(RIGHT)
        for version in range(2, 30):
            editor.change(RIGHT.replace("nodeCount", f"n{version}"), version=version)
        editor.change(RIGHT, version=30)
        versions = []
        while versions[-1:] != [30]:
            version, found = await editor.checked()
            versions.append(version)
        assert found == []
        assert versions == sorted(versions)

    edit(session)


def test_saving_checks_again(edit):
    async def session(editor):
        found = await editor.open(RIGHT.replace("nodeCount", "nodecount"))
        save = types.DidSaveTextDocumentParams(editor.document("experiment.yaml"))
        editor.client.text_document_did_save(save)
        assert (await editor.checked())[1] == found

    edit(session)


def test_a_closed_file_has_no_findings(edit):
    async def session(editor):
        assert await editor.open(RIGHT.replace("nodeCount", "nodecount"))
        close = types.DidCloseTextDocumentParams(editor.document("experiment.yaml"))
        editor.client.text_document_did_close(close)
        assert (await editor.checked())[1] == []

    edit(session)


@pytest.mark.parametrize(
    ("encodings", "units"),
    [(None, 2), (["utf-8"], 4), (["utf-32", "utf-16"], 1)],
)
def test_ranges_are_in_the_units_that_were_agreed_on(edit_with, encodings, units):
    text = RIGHT.replace("{name: digits}", "{name: digits, tags: {a: '\U0001f680'}, x: 1}")
    line = text.split("\n")[2]
    before = line.index("x: 1") - 1

    async def session(editor):
        (found,) = await editor.open(text)
        assert found.range.start == types.Position(2, before + units)
        hover = await editor.hover(types.Position(2, before + units))
        assert hover is None

    edit_with(session, encodings)


def test_a_file_of_batch_ai(edit):
    text = '{\n  "properties": {\n    "nodeCount": "2",\n    "horovodSettings": {\n'
    text += '      "pythonScriptFilePath": "$AZ_BATCHAI_INPUT_SET/a.py"\n    },\n'
    text += '    "inputDirectories": [{"id": "SET", "path": "/x"}],\n'
    text += '    "stdOutErrPathPrefix": "/x"\n  }\n}\n'

    async def session(editor):
        found = await editor.open(text, "job.json")
        assert around(text, '"2"') in [each.range for each in found]
        where = await editor.definition(at(text, "INPUT_SET"), "job.json")
        assert where.range.start == at(text, '"SET"', 1)
        hover = await editor.hover(at(text, "pythonScript"), "job.json")
        assert "Path of the Python script, as nodes see it" in hover.contents.value
        typed = text.replace('    "stdOutErrPathPrefix": "/x"\n', '    "std\n')
        editor.change(typed, "job.json")
        await editor.checked()
        found = await editor.complete(at(typed, '"std', 4), "job.json")
        written = applied(typed, found["stdOutErrPathPrefix"].text_edit)
        assert '    "stdOutErrPathPrefix": \n' in written
        assert "nodeCount" not in found

    edit(session)


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: two}\n",
        "services:\n  web: {image: nginx}\n",
        "on: push\njobs:\n  test: {runs-on: ubuntu-latest}\n",
        '{"$schema": "https://json.schemastore.org/tsconfig.json", "compilerOptions": {}}',
        "- a\n- b\n",
        "a: [\n",
        "",
    ],
)
def test_other_files_are_left_alone(edit, text):
    async def session(editor):
        assert await editor.open(text, "other.yaml") == []
        assert await editor.hover(types.Position(0, 1), "other.yaml") is None

    edit(session)


def test_documentation_under_the_cursor(edit):
    async def session(editor):
        await editor.open(RIGHT)
        found = await editor.hover(at(RIGHT, "nodeCount", 3))
        assert found.range == around(RIGHT, "nodeCount")
        assert found.contents.value == (
            "**nodeCount**: integer from 1\n\n"
            "Number of nodes, 2 for example; all must be free before the job starts. By default 1."
        )
        found = await editor.hover(at(RIGHT, "$AZ_BATCHAI_INPUT_SET", 3))
        assert "Path of the job's input SET." in found.contents.value
        found = await editor.hover(at(RIGHT, "STANDARD_NC6"))
        assert "6 cores, 56 GiB, 1 NVIDIA Tesla K80" in found.contents.value

    edit(session)


def test_completion_of_keys_while_the_file_does_not_parse(edit):
    typed = RIGHT.replace("      nodeCount: 2\n", "      no\n")

    async def session(editor):
        assert await editor.open(typed)
        found = await editor.complete(at(typed, "      no\n", 8))
        labels = list(found)
        assert labels[0] == "nodeCount"
        assert "cluster" not in labels
        assert "logs" not in labels
        assert "pyTorch" not in labels
        assert "priority" in labels
        assert applied(typed, found["nodeCount"].text_edit) == RIGHT.replace(": 2\n", ": \n")

    edit(session)


def test_completion_of_values(edit):
    async def session(editor):
        await editor.open(RIGHT)
        sizes = await editor.complete(at(RIGHT, "STANDARD_NC6", 11))
        assert "24 cores, 224 GiB, 4 NVIDIA Tesla K80" in sizes["Standard_NC24"].detail
        assert "vmSize: Standard_NC24, scale" in applied(RIGHT, sizes["Standard_NC24"].text_edit)
        assert list(await editor.complete(at(RIGHT, "cluster: gpu", 9))) == ["gpu"]

        typed = RIGHT.replace("      cluster: gpu\n", "      priority:\n")
        editor.change(typed)
        await editor.checked()
        found = await editor.complete(at(typed, "priority:", 9))
        assert list(found) == ["low", "normal", "high"]
        assert "      priority: high\n" in applied(typed, found["high"].text_edit)

    edit(session)


def test_completion_inside_of_strings(edit):
    typed = RIGHT.replace("logs: ${mounts.data}", "logs: $")

    async def session(editor):
        await editor.open(typed)
        found = await editor.complete(at(typed, "logs: $", 7))
        assert list(found)[:2] == ["${mounts.data}", "${inputs.SET}"]
        assert "$AZ_BATCHAI_JOB_MOUNT_ROOT" in found
        assert "$AZ_BATCHAI_INPUT_SET" in found
        assert "$AZ_BATCHAI_WORKER_HOSTS" not in found
        assert applied(typed, found["${mounts.data}"].text_edit) == RIGHT

    edit(session)


def test_definitions(edit):
    text = RIGHT.replace("/train.py}", "/train.py, args: $AZ_BATCHAI_JOB_MOUNT_ROOT/data/x}")

    async def session(editor):
        await editor.open(text)
        mount, cluster = at(text, "{data: ", 1), at(text, "gpu: ")
        for piece, offset, expected in [
            ("${mounts.data}/set", 12, mount),
            ("logs: ${mounts.data}", 10, mount),
            ("MOUNT_ROOT/data", 12, mount),
            ("$AZ_BATCHAI_INPUT_SET", 5, at(text, "SET: ")),
            ("cluster: gpu", 10, cluster),
        ]:
            found = await editor.definition(at(text, piece, offset))
            assert (found.uri, found.range.start) == (editor.uri("experiment.yaml"), expected)
        assert await editor.definition(at(text, "nodeCount")) is None

    edit(session)


def test_symbols(edit):
    async def session(editor):
        await editor.open(RIGHT)
        found = await editor.client.text_document_document_symbol_async(
            types.DocumentSymbolParams(editor.document("experiment.yaml"))
        )
        assert [(each.name, each.detail) for each in found] == [
            ("gpu", "cluster"),
            ("train", "job"),
        ]

    edit(session)


@pytest.mark.parametrize(
    ("right", "wrong", "title"),
    [
        ("nodeCount", "nodecount", "Change to nodeCount"),
        ("logs: ${mounts.data}", "logs: ${mounts.dta}", "Change to data"),
    ],
)
def test_quick_fixes(edit, right, wrong, title):
    text = RIGHT.replace(right, wrong)

    async def session(editor):
        (found,) = await editor.open(text)
        (action,) = await editor.actions(found.range)
        assert (action.title, action.kind) == (title, types.CodeActionKind.QuickFix)
        assert list(action.diagnostics) == [found]
        ((uri, (change,)),) = action.edit.changes.items()
        assert uri == editor.uri("experiment.yaml")
        assert applied(text, change) == RIGHT
        assert not await editor.actions(around(text, "kind"))

    edit(session)


def test_several_documents_in_one_file(edit):
    text = f"{RIGHT}---\n{RIGHT.replace('digits', 'other').replace('gpu', 'cpu')}"

    async def session(editor):
        await editor.open(text)
        found = await editor.definition(at(text, "cluster: cpu", 10))
        assert found.range == around(text, "cpu")
        assert list(await editor.complete(at(text, "cluster: cpu", 9))) == ["cpu", "gpu"]

    edit(session)


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "untitled:", "https://host/x.yaml", ""])
def test_files_that_are_nowhere_have_a_folder_too(edit, uri):
    async def session(editor):
        editor.prefix = uri
        item = types.TextDocumentItem(uri, "yaml", 1, RIGHT.replace("nodeCount", "nodecount"))
        editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        published = await editor.published.get()
        (found,) = published.diagnostics
        assert (published.uri, found.code) == (uri, "BAI201")
        assert found.range.start.line == 9

    edit(session)


def test_questions_that_have_no_answer(edit):
    async def session(editor):
        nowhere = types.Position(0, 0)
        assert await editor.hover(nowhere, "never-opened.yaml") is None
        assert await editor.complete(nowhere, "never-opened.yaml") == {}
        assert await editor.definition(nowhere, "never-opened.yaml") is None
        assert await editor.actions(types.Range(nowhere, nowhere), "never-opened.yaml") is None
        await editor.open(RIGHT)
        for position in (types.Position(10**6, 0), types.Position(3, 10**6)):
            assert await editor.hover(position) is None
            await editor.complete(position)
            assert await editor.definition(position) is None
            assert not await editor.actions(types.Range(position, position))

    edit(session)


HOSTILE = [
    RIGHT + "# " + "x" * 3_000_000,
    "apiVersion: bai/v1\nspec: " + "[" * 100_000,
    "apiVersion: bai/v1\nspec: {" + '"a' * 50_000,
    "apiVersion: bai/v1\n" + "".join(f"{' ' * n}a{n}:\n" for n in range(1500)),
    "apiVersion: bai/v1\nspec:\n  " + "- " * 100_000,
    "apiVersion: bai/v1\nspec:\n" + "\n".join("  a: 'x\n   \"y" for _ in range(3000)),
    "apiVersion: bai/v1\nspec: \0\x85\u2028\ud800",
    '{"properties": {"nodeCount": 1, "a": "\u2028\ud800"}}',
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_files_are_answered(edit, text):
    async def session(editor):
        await editor.open(text)
        for position in (types.Position(1, 3), types.Position(1, 50_000)):
            await editor.hover(position)
            await editor.complete(position)
            await editor.definition(position)

    edit(session)


def test_without_pygls_it_says_what_to_install(tmp_path, environment):
    script = (
        "import sys; sys.modules['pygls'] = None; sys.argv = ['bai', 'lsp']\n"
        "from bai.cli.main import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    command = shlex.split(done.stderr.removeprefix("error: bai lsp needs pygls: "))
    assert command[:4] == [sys.executable, "-m", "pip", "install"]
    # Found wherever bai is from: it is on no index.
    assert [Requirement(word).name for word in command[4:]] == ["pygls"]
