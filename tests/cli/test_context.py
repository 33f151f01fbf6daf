"""`bai context`."""

import tomllib

import pytest
from terminal import Terminal

from bai.runtime.context_switch import use
from bai.specs.errors import ContextError

TWO = """\
# The machines of the group.

[contexts.laptop]  # mine
[contexts.laptop.engine]
slots = 2
[contexts.large.provider]
state = "large"
[contexts.large.engine]
slots = 64
"""


def test_the_contexts_are_listed(bai):
    (bai.folder / "bai.toml").write_text(f'current-context = "large"\n{TWO}')
    done = bai.run("context", "list")
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["NAME", "PROVIDER", "ENGINE", "STATE"],
        ["laptop", "embedded", "local", f"{bai.folder}/.bai"],
        ["*", "large", "embedded", "local", f"{bai.folder}/large"],
        ["local", "embedded", "local", f"{bai.folder}/.bai"],
    ]
    assert done.stderr == ""
    chosen = bai.run("context", "list", env={"BAI_CONTEXT": "laptop"}).stdout
    assert "\n*  laptop  " in chosen


def test_a_context_that_is_not_usable_is_listed_with_the_reason(bai):
    text = f"{TWO}[contexts.far.engine]\nname = 'slurm'\n[contexts.near.provider]\nstate = 0\n"
    (bai.folder / "bai.toml").write_text(text)
    done = bai.run("context", "list")
    assert f"\n   far     embedded  slurm   {bai.folder}/.bai\n" in done.stdout
    assert "\n   near    embedded  local   -\n" in done.stdout
    place = f"{bai.folder}/bai.toml"
    assert done.stderr.splitlines() == [
        (
            f"warning: {place}:11:8: contexts.far.engine.name can't be 'slurm': "
            "there is no such engine (valid here: local)"
        ),
        f"warning: {place}:13:9: contexts.near.provider.state must be a string that is not empty",
    ]
    assert "'slurm'" in bai.run("context", "show", "far", code=2).stderr


def test_the_list_fits_a_terminal(bai):
    (bai.folder / "bai.toml").write_text(TWO)
    bai.environment |= {"COLUMNS": "50", "NO_COLOR": "1"}
    terminal = Terminal(bai, "context", "list")
    assert terminal.end() == 0
    assert max(map(len, terminal.text.splitlines())) <= 50


def test_all_values_are_shown_by_their_keys(bai):
    (bai.folder / "bai.toml").write_text(
        TWO + 'launcher = "mpirun"\npython = "p/python"\nsetup-task = "run"\n'
        'images = {"tf:1.8" = "localhost/tf", b = "c"}\n'
        '[contexts.large]\nstorage = "data"\nworkspace = "w"\n'
    )
    shown = bai.run("context", "show", "large").stdout
    assert dict(line.split(maxsplit=1) for line in shown.splitlines()) == {
        "name": "large",
        "from": f"{bai.folder}/bai.toml",
        "subscription": "00000000-0000-0000-0000-000000000000",
        "resource-group": "local",
        "workspace": "w",
        "location": "local",
        "cluster": "made to measure",
        "vm-size": "local",
        "code-limit": "100 MB",
        "storage-account": "not set",
        "storage": f"{bai.folder}/data",
        "provider.name": "embedded",
        "provider.state": f"{bai.folder}/large",
        "engine.name": "local",
        "engine.slots": "64",
        "engine.launcher": "mpirun",
        "engine.bind-to": "core",
        "engine.python": f"{bai.folder}/p/python",
        "engine.setup-task": "run",
        "engine.unmanaged-mounts": "refuse",
        "engine.containers": "auto",
        "engine.images": "tf:1.8 -> localhost/tf, b -> c",
    }


def test_accounts_are_shown_without_their_secrets(bai):
    (bai.folder / "bai.toml").write_text(
        '[contexts.lab.accounts.vision]\nkey = "env:VISION_KEY"\n'
        '[contexts.lab.file-servers.nfs]\nexport = "10.0.0.5:/data"\n'
        '[contexts.lab.accounts.nlp]\nblob-endpoint = "http://127.0.0.1:1/nlp"\nidentity = true\n'
    )
    lines = bai.run("context", "show", env={"VISION_KEY": "bm8="}).stdout.splitlines()
    assert [line.split() for line in lines if line.startswith("accounts.")] == [
        ["accounts.vision.blob-endpoint", "https://vision.blob.core.windows.net"],
        ["accounts.vision.file-endpoint", "https://vision.file.core.windows.net"],
        ["accounts.vision.mount", "auto"],
        ["accounts.vision.key", "env:VISION_KEY"],
        ["accounts.nlp.blob-endpoint", "http://127.0.0.1:1/nlp"],
        ["accounts.nlp.file-endpoint", "https://nlp.file.core.windows.net"],
        ["accounts.nlp.mount", "auto"],
        ["accounts.nlp.identity", "true"],
    ]
    [server] = [line.split() for line in lines if line.startswith("file-servers.")]
    assert server == ["file-servers.nfs.export", "10.0.0.5:/data"]


def test_another_context_becomes_the_current_one(bai):
    (bai.folder / "bai.toml").write_text(TWO)
    (bai.folder / "below").mkdir()
    file = f"{bai.folder}/bai.toml"
    assert bai.run("context", "use", "large").stdout == (
        f"context large is now the current one in {file}\n"
    )
    assert (bai.folder / "bai.toml").read_text() == TWO.replace(
        ".\n\n", '.\n\ncurrent-context = "large"\n\n'
    )
    assert "name                     large\n" in bai.run("context", "show").stdout
    again = bai.run("context", "use", "large", env={"BAI_CONTEXT": "laptop"})
    assert again.stdout == "context large is the current one already\n"
    assert again.stderr == "warning: BAI_CONTEXT is set, so commands use laptop\n"
    unknown = bai.run("context", "use", "lrage", code=2)
    assert (unknown.stdout, unknown.stderr) == (
        "",
        "error: there is no context 'lrage' (did you mean large?)\n",
    )


def test_without_a_file_there_is_one_context(bai):
    (bai.folder / "bai.toml").unlink()
    assert bai.run("context", "use", "local").stdout == "context local is the current one already\n"
    assert bai.run("context", "use", "gpu", code=2).stderr == (
        f"error: there is no bai.toml in {bai.folder} or above it, so local is the only context: "
        "write one, with a table [contexts.gpu]\n"
    )
    assert '[contexts."a b"]' in bai.run("context", "use", "a b", code=2).stderr
    assert list(bai.folder.iterdir()) == []


def test_a_shell_completes_the_names_of_contexts(bai):
    def completed(words, index):
        shell = {"_BAI_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(index)}
        return bai.run(env=shell).stdout.split()

    (bai.folder / "bai.toml").write_text(TWO)
    assert completed("bai context use la", 3) == ["laptop", "large"]
    assert completed("bai context show lo", 3) == ["local"]
    (bai.folder / "bai.toml").write_text("contexts = 1")
    assert completed("bai context use la", 3) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("current-context = 'a'\n", 'current-context = "b"\n'),
        (
            "# x\n  current-context='a' # 'a' is mine\r\n\n",
            "# x\n  current-context=\"b\" # 'a' is mine\r\n\n",
        ),
        ("'current-context' = '''\na'''\n", "'current-context' = \"b\"\n"),
        # One that was taken away, and one that is no name.
        ("current-context = 'gone'\n", 'current-context = "b"\n'),
        ("current-context = [\n 'a', # no\n]\n", 'current-context = "b"\n'),
        ("# about a\n", 'current-context = "b"\n\n# about a\n'),
        ("# about all\n\n", '# about all\n\ncurrent-context = "b"\n\n'),
        ("# about all\r\n\r\n", '# about all\r\n\r\ncurrent-context = "b"\r\n\r\n'),
        (
            "# about all\n#\n \n# about a\n",
            '# about all\n#\n \ncurrent-context = "b"\n\n# about a\n',
        ),
        ("\n\n", 'current-context = "b"\n\n\n\n'),
        (
            "[lint]\nselect = ['''\ncurrent-context = 'a'\n''']\n",
            "current-context = \"b\"\n\n[lint]\nselect = ['''\ncurrent-context = 'a'\n''']\n",
        ),
    ],
)
def test_nothing_but_the_name_changes(tmp_path, before, after):
    rest = "[contexts.a] # '\n[contexts.b]\n[contexts.'\"\\x'.engine]\nslots   =  1"
    file = tmp_path / "bai.toml"
    file.write_bytes((before + rest).encode())
    assert use("b", tmp_path) == file
    assert file.read_bytes().decode() == after + rest
    assert use("b", tmp_path) is None


@pytest.mark.parametrize("name", ['"\\x', "a b", "ä€𝄞", "\x7f\t\x01\u2028", "a.b", "'''"])
def test_names_of_all_characters(tmp_path, name):
    escaped = "".join(f"\\U{ord(character):08x}" for character in name)
    file = tmp_path / "bai.toml"
    file.write_text(f'[contexts."{escaped}"]\n[contexts.b]\n')
    assert use(name, tmp_path) == file
    assert tomllib.loads(file.read_text())["current-context"] == name


def test_a_link_and_the_mode_of_the_file_stay(tmp_path):
    real = tmp_path / "real.toml"
    real.write_text(TWO)
    real.chmod(0o640)
    (tmp_path / "bai.toml").symlink_to(real)
    assert use("large", tmp_path) == tmp_path / "bai.toml"
    assert (tmp_path / "bai.toml").readlink() == real
    assert "current-context" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bai.toml", "real.toml"]


def test_a_file_that_is_not_valid_is_left_alone(tmp_path):
    file = tmp_path / "bai.toml"
    file.write_text("[contexts.a]\nslots = 1\n")
    with pytest.raises(ContextError, match=r"bai\.toml:2:1: contexts\.a\.slots belongs in"):
        use("a", tmp_path)
    assert file.read_text() == "[contexts.a]\nslots = 1\n"


def test_a_file_that_cant_be_written_stays_as_it_was(bai, monkeypatch):
    (bai.folder / "bai.toml").write_text(TWO)

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", str(bai.folder))

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    with pytest.raises(PermissionError):
        use("large", bai.folder)
    assert (bai.folder / "bai.toml").read_text() == TWO


def test_an_account_that_is_a_folder_beside_real_ones_is_noted(bai):
    bai.context(slots=2)
    job = bai.custom("job", "true").replace("{r: azureFile:r}", "{r: azureFile://visoin/r}")
    spec = bai.write(job)
    assert "note" not in bai.run("diff", spec, code=1).stdout
    with (bai.folder / "bai.toml").open("a") as file:
        file.write('[contexts.test.accounts.vision]\nkey = "env:VISION_KEY"\n')
    mount = "scale: 2, mounts: {s: azureFile://other/s}}"
    spec.write_text(spec.read_text().replace("scale: 2}", mount))
    notes = [line for line in bai.run("diff", spec, code=1).stdout.splitlines() if "note" in line]
    missing, meant = "has no table in bai.toml", "(did you mean vision?)"
    assert notes == [
        f"note: cluster c: account other {missing}: it is the folder {bai.storage}/other",
        f"note: job job: account visoin {missing} {meant}: it is the folder {bai.storage}/visoin",
    ]
    applied = bai.run("apply", spec).stdout
    assert all(note in applied for note in notes)
    assert "note" not in bai.run("diff", spec).stdout
