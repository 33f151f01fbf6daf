"""Contexts as bai.toml describes them, each error at its place."""

import json
from pathlib import Path

import pytest

from bai.runtime.account_settings import AccountSettings, load_account
from bai.runtime.context import CONTEXT_KEYS, load_contexts, select
from bai.runtime.engines.local.plugin import LOCAL
from bai.runtime.engines.local.settings import EngineSettings
from bai.runtime.file_server_settings import FileServerSettings
from bai.runtime.node.cores import cpu_count
from bai.runtime.provider.plugin import EMBEDDED
from bai.runtime.provider.settings import EmbeddedSettings
from bai.runtime.storage_settings import StorageSettings, load_storage
from bai.specs.errors import ContextError
from bai.specs.secrets import SecretRef
from bai.specs.toml_files import ACCOUNT_KEYS, FILE_SERVER_KEYS, HOMES

WHOLE = """\
current-context = "laptop"
[contexts.laptop]
resource-group = "research"
workspace = "w"
location = "eastus"
subscription = "0000"
storage-account = "data"
storage = "accounts"
[contexts.laptop.provider]
name = "embedded"
state = "../state"
[contexts.laptop.engine]
name = "local"
slots = 4
launcher = "mpirun"
bind-to = "none"
python = "envs/tf/bin/python"
setup-task = "run"
[contexts.other]
"""


@pytest.fixture(autouse=True)
def variables(monkeypatch):
    for name in ("BAI_CONTEXT", "AZURE_BATCHAI_STORAGE_ACCOUNT"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def write(tmp_path):
    return (tmp_path / "bai.toml").write_text


def refused(folder):
    """Return the message about the current context, without the folder."""
    with pytest.raises(ContextError) as error:
        select(None, folder).check()
    return str(error.value).removeprefix(f"{folder}/")


def test_all_values(write, tmp_path):
    write(WHOLE)
    context = select(None, tmp_path)
    assert (context.name, context.source) == ("laptop", tmp_path / "bai.toml")
    defaults = context.defaults
    assert (defaults.resource_group, defaults.workspace) == ("research", "w")
    assert (defaults.location, defaults.subscription) == ("eastus", "0000")
    assert defaults.storage_account == "data"
    assert context.provider == EmbeddedSettings(tmp_path / "../state")
    assert context.state == tmp_path / "../state"
    assert context.storage == tmp_path / "accounts"
    assert context.engine == EngineSettings(
        slots=4,
        launcher="mpirun",
        bind_to="none",
        python=str(tmp_path / "envs/tf/bin/python"),
        setup_task="run",
        storage=StorageSettings(tmp_path / "accounts"),
        context="laptop",
    )


@pytest.mark.parametrize("text", ["", "[contexts.local]\n", "[contexts.local.engine]\n", None])
def test_defaults(write, tmp_path, text):
    if text is not None:
        write(text)
    context = select(None, tmp_path)
    assert (context.name, context.provider_name, context.engine_name) == (
        "local",
        "embedded",
        "local",
    )
    assert context.engine == EngineSettings(slots=cpu_count())
    assert context.provider == EmbeddedSettings(tmp_path / ".bai")
    assert context.storage == tmp_path / ".bai/storage"


def test_accounts_that_are_real(write, tmp_path):
    write(
        """\
[contexts.local.accounts.mystore]
blob-endpoint = "http://127.0.0.1:10000/mystore/"
key = "file:keys/mystore"
[contexts.local.accounts.other]
sas = "env:OTHER_SAS"
[contexts.local.accounts.third]
identity = true
"""
    )
    accounts = select(None, tmp_path).accounts
    assert accounts == {
        "mystore": AccountSettings(
            "mystore",
            "http://127.0.0.1:10000/mystore",
            "https://mystore.file.core.windows.net",
            key=SecretRef("file", str(tmp_path / "keys/mystore")),
        ),
        "other": AccountSettings(
            "other",
            "https://other.blob.core.windows.net",
            "https://other.file.core.windows.net",
            sas=SecretRef("env", "OTHER_SAS"),
        ),
        "third": AccountSettings(
            "third",
            "https://third.blob.core.windows.net",
            "https://third.file.core.windows.net",
            identity=True,
        ),
    }
    assert [each.is_emulated for each in accounts.values()] == [True, False, False]
    for account in accounts.values():
        assert load_account(json.loads(json.dumps(account.dumped()))) == account


@pytest.mark.parametrize(
    ("written", "server"),
    [
        ("", ("abc.file.core.windows.net", None)),
        ("file-endpoint = 'https://a.privatelink.example/'", ("a.privatelink.example", None)),
        ("file-endpoint = 'https://localhost:8443'", ("localhost", None)),
        ("file-endpoint = 'smb://127.0.0.1:4450'", ("127.0.0.1", 4450)),
        ("file-endpoint = 'smb://files.lab'", ("files.lab", None)),
    ],
)
def test_the_server_of_an_account_s_shares(write, tmp_path, written, server):
    write(f"[contexts.a.accounts.abc]\n{written}\n")
    assert select(None, tmp_path).accounts["abc"].smb_server == server


def test_what_stands_for_file_servers(write, tmp_path):
    write(
        """\
[contexts.local.file-servers.nfs]
export = "10.0.0.5:/data"
[contexts.local.file-servers.six]
export = "[fd00::5]:/"
[contexts.local.file-servers."a b"]
folder = "served"
"""
    )
    context = select(None, tmp_path)
    assert context.file_servers == {
        "nfs": FileServerSettings("nfs", export="10.0.0.5:/data"),
        "six": FileServerSettings("six", export="[fd00::5]:/"),
        "a b": FileServerSettings("a b", folder=str(tmp_path / "served")),
    }
    storage = context.engine.storage
    assert load_storage(json.loads(json.dumps(storage.dumped()))) == storage
    assert storage.file_servers(tmp_path).root == tmp_path / "fileservers"


def test_accounts_are_folders_without_a_table(write, tmp_path):
    write("[contexts.local]\n")
    assert select(None, tmp_path).accounts == {}


def test_an_interpreter_without_a_slash_is_looked_up(write, tmp_path):
    write('[contexts.local.engine]\npython = "python3"\n')
    assert select(None, tmp_path).engine.python == "python3"


A = "[contexts.a]\n"
PROVIDER = "[contexts.a.provider]\n"
ENGINE = "[contexts.a.engine]\n"
ACCOUNT = "[contexts.a.accounts.vision]\n"
SERVER = "[contexts.a.file-servers.nfs]\n"
TEXT = "must be a string that is not empty"
COUNT = "must be an integer of at least 1"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        # What stood in the context's own table once.
        (
            "current-context = 'laptop'\n\n[contexts.laptop]\nslots = 4\n",
            "4:1",
            "contexts.laptop.slots belongs in [contexts.laptop.engine]",
        ),
        (f"{A}  state = 1", "2:3", "contexts.a.state belongs in [contexts.a.provider]"),
        ("contexts.a.python = 1", "1:12", "contexts.a.python belongs in [contexts.a.engine]"),
        ("contexts={a={slots=1}}", "1:14", "contexts.a.slots belongs in [contexts.a.engine]"),
        (
            '[contexts."a b"]\nsetup-task = "run"',
            "2:1",
            'contexts."a b".setup-task belongs in [contexts."a b".engine]',
        ),
        (
            "[contexts.'\"é']\nslots = 1",
            "2:1",
            'contexts."\\"é".slots belongs in [contexts."\\"é".engine]',
        ),
        # Between the tables of a context.
        (f"{ENGINE}state = 1", "2:1", "contexts.a.engine.state belongs in [contexts.a.provider]"),
        (f"{ENGINE}storage = 1", "2:1", "contexts.a.engine.storage belongs in [contexts.a]"),
        (f"{PROVIDER}location = 1", "2:1", "contexts.a.provider.location belongs in [contexts.a]"),
        (f"{PROVIDER}slots = 1", "2:1", "contexts.a.provider.slots belongs in [contexts.a.engine]"),
        # Unknown keys.
        (
            f"{A}storag = 1",
            "2:1",
            "contexts.a.storag is no key of a context (did you mean storage?)",
        ),
        (
            f"{A}slotz = 1",
            "2:1",
            "contexts.a.slotz is no key of a context (did you mean slots in [contexts.a.engine]?)",
        ),
        (
            f"{A}name = 'b'",
            "2:1",
            (
                "contexts.a.name is no key of a context (valid here: storage, resource-group, "
                "workspace, location, subscription, storage-account, cluster, vm-size, code-limit, "
                "provider, engine, accounts, file-servers)"
            ),
        ),
        (
            f"{ENGINE}bindto = 1",
            "2:1",
            "contexts.a.engine.bindto is no key of the engine local (did you mean bind-to?)",
        ),
        (
            f"{PROVIDER}xyzzy = 1",
            "2:1",
            (
                "contexts.a.provider.xyzzy is no key of the provider embedded "
                "(valid here: name, state)"
            ),
        ),
        # Values.
        (f"{A}location = 3", "2:12", f"contexts.a.location {TEXT}"),
        (f"{A}storage = ''", "2:11", f"contexts.a.storage {TEXT}"),
        (f"{A}storage='~no-one/x'", "2:9", "contexts.a.storage '~no-one/x' names no home folder"),
        (f"{PROVIDER}state = 3", "2:9", f"contexts.a.provider.state {TEXT}"),
        (
            f"{PROVIDER}state='~no-one'",
            "2:7",
            "contexts.a.provider.state '~no-one' names no home folder",
        ),
        (f"{ENGINE}slots = 0", "2:9", f"contexts.a.engine.slots {COUNT}"),
        (f"{ENGINE}slots = true", "2:9", f"contexts.a.engine.slots {COUNT}"),
        (f"{ENGINE}slots = '2'", "2:9", f"contexts.a.engine.slots {COUNT}"),
        (
            f"{ENGINE}launcher = 'mpi'",
            "2:12",
            "contexts.a.engine.launcher can't be 'mpi' (did you mean mpirun?)",
        ),
        (f"{ENGINE}launcher = 3", "2:12", f"contexts.a.engine.launcher {TEXT}"),
        (
            f"{ENGINE}bind-to = 'x'",
            "2:11",
            "contexts.a.engine.bind-to can't be 'x' (valid here: core, none)",
        ),
        (
            f"{ENGINE}setup-task = 'sudo'",
            "2:14",
            "contexts.a.engine.setup-task can't be 'sudo' (valid here: skip, run)",
        ),
        (f"{ENGINE}python = []", "2:10", f"contexts.a.engine.python {TEXT}"),
        (f"{ENGINE}name = ''", "2:8", f"contexts.a.engine.name {TEXT}"),
        # Tables.
        ("contexts = 1", "1:12", "contexts must be a table: [contexts]"),
        ("[contexts]\na = 1", "2:5", "contexts.a must be a table: [contexts.a]"),
        ("[[contexts]]\na = 1", "1:3", "contexts must be a table: [contexts]"),
        (
            f"{A}engine = 'slurm'",
            "2:10",
            'contexts.a.engine must be a table: [contexts.a.engine], and below that name = "slurm"',
        ),
        (f"{A}provider=1", "2:10", "contexts.a.provider must be a table: [contexts.a.provider]"),
        # Storage accounts.
        (
            f"{ACCOUNT}kye = 'env:K'",
            "2:1",
            "contexts.a.accounts.vision.kye is no key of a storage account (did you mean key?)",
        ),
        (
            "[contexts.a.accounts.My-Store]",
            "1:22",
            (
                "contexts.a.accounts.My-Store is no storage account: an account's name has 3 to "
                "24 lower-case letters and digits"
            ),
        ),
        (
            f"{ACCOUNT}key = 'aGVsbG8='",
            "2:7",
            "contexts.a.accounts.vision.key must say where the secret is: env:NAME or file:PATH",
        ),
        (
            f"{ACCOUNT}sas = 'env:A B'",
            "2:7",
            "contexts.a.accounts.vision.sas must say where the secret is: env:NAME or file:PATH",
        ),
        (
            f"{ACCOUNT}key = 'env:K'\nidentity = true",
            "3:12",
            "contexts.a.accounts.vision.identity stands beside key: keep one of them",
        ),
        (
            f"{ACCOUNT}identity = 'yes'",
            "2:12",
            "contexts.a.accounts.vision.identity must be true or false",
        ),
        (
            f"{ACCOUNT}blob-endpoint = 'vision'",
            "2:17",
            (
                "contexts.a.accounts.vision.blob-endpoint must be a URL such as "
                "https://vision.blob.core.windows.net"
            ),
        ),
        (
            f"{ACCOUNT}blob-endpoint = 'smb://host'",
            "2:17",
            (
                "contexts.a.accounts.vision.blob-endpoint must be a URL such as "
                "https://vision.blob.core.windows.net"
            ),
        ),
        (
            f"{ACCOUNT}file-endpoint = 'smb://host:x'",
            "2:17",
            (
                "contexts.a.accounts.vision.file-endpoint must be a URL such as "
                "https://vision.file.core.windows.net"
            ),
        ),
        (
            f"{ACCOUNT}file-endpoint = 'smb://host/share'",
            "2:17",
            (
                "contexts.a.accounts.vision.file-endpoint must be smb://HOST or smb://HOST:PORT: "
                "mounts name the shares"
            ),
        ),
        # File servers.
        (
            f"{SERVER}exports = 'host:/data'",
            "2:1",
            (
                "contexts.a.file-servers.nfs.exports is no key of a file server "
                "(did you mean export?)"
            ),
        ),
        (
            f"{SERVER}export = '/data'",
            "2:10",
            "contexts.a.file-servers.nfs.export must be HOST:/PATH, such as 10.0.0.5:/data",
        ),
        (
            f"{SERVER}export = 'host:data,ro'",
            "2:10",
            "contexts.a.file-servers.nfs.export must be HOST:/PATH, such as 10.0.0.5:/data",
        ),
        (
            f"{SERVER}export = 'host:/data'\nfolder = 'data'",
            "3:10",
            "contexts.a.file-servers.nfs.folder stands beside export: keep one of them",
        ),
        (
            SERVER,
            "1:26",
            (
                'contexts.a.file-servers.nfs says nothing: write export = "HOST:/PATH" '
                'or folder = "PATH"'
            ),
        ),
        (
            f"{A}file-servers = 'nfs'",
            "2:16",
            (
                "contexts.a.file-servers must be a table: [contexts.a.file-servers], and below "
                'that name = "nfs"'
            ),
        ),
        (
            f"{ACCOUNT}file-endpoint = 'https://host/?sig=x'",
            "2:17",
            (
                "contexts.a.accounts.vision.file-endpoint must be the service's URL alone: "
                "write key or sas for a secret"
            ),
        ),
        (
            f"{A}accounts = 'vision'",
            "2:12",
            (
                "contexts.a.accounts must be a table: [contexts.a.accounts], "
                'and below that name = "vision"'
            ),
        ),
        # Names.
        (
            f"{ENGINE}name = 'lokal'",
            "2:8",
            (
                "contexts.a.engine.name can't be 'lokal': "
                "there is no such engine (did you mean local? valid here: local)"
            ),
        ),
        (
            f"{ENGINE}name = 'k8s'\nslots = 'x'",
            "2:8",
            "contexts.a.engine.name can't be 'k8s': there is no such engine (valid here: local)",
        ),
        (
            f"{PROVIDER}name = 'azure'\nstate = 3",
            "2:8",
            (
                "contexts.a.provider.name can't be 'azure': "
                "there is no such provider (valid here: embedded)"
            ),
        ),
        (
            "current-context = 'laptopp'\n[contexts.laptop]",
            "1:19",
            "current-context can't be 'laptopp': there is no such context (did you mean laptop?)",
        ),
        ("current-context = 3", "1:19", f"current-context {TEXT}"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(write, tmp_path, text, place, message):
    write(text)
    assert refused(tmp_path) == f"bai.toml:{place}: {message}"


@pytest.mark.parametrize(
    "text",
    [
        "[contexts.a.engine]\nname = 'k8s'\n",
        "[contexts.a.engine]\nslots = 'many'\n",
        "[contexts.a.engine]\nxyzzy = 1\n",
        "[contexts.a.provider]\nname = 'azure'\n",
    ],
)
def test_a_context_that_is_not_usable_here_stands_in_nobodys_way(write, tmp_path, text):
    write(f"current-context = 'b'\n{text}[contexts.b]\n")
    contexts, current = load_contexts(tmp_path)
    assert current == "b"
    contexts["b"].check()
    with pytest.raises(ContextError):
        contexts["a"].check()


@pytest.mark.parametrize("key", [key for keys in HOMES.values() for key in keys])
def test_a_key_outside_of_all_contexts_is_told_its_table(write, tmp_path, key):
    write(f"{key} = 1")
    [table] = [table for table, keys in HOMES.items() if key in keys]
    assert refused(tmp_path) == (
        f"bai.toml:1:1: unknown key {key!r} (it belongs below [{table}]; the built-in context is "
        "local)"
    )


def test_the_tables_that_keys_are_told_are_the_ones_that_have_them():
    assert {
        "contexts.NAME": CONTEXT_KEYS,
        "contexts.NAME.provider": EMBEDDED.keys,
        "contexts.NAME.engine": LOCAL.keys,
        "contexts.NAME.accounts.ACCOUNT": ACCOUNT_KEYS,
        "contexts.NAME.file-servers.SERVER": FILE_SERVER_KEYS,
    } == HOMES


def test_the_variable_goes_before_the_file(write, tmp_path, monkeypatch):
    write("current-context = 'a'\n[contexts.a]\n[contexts.b]\n")
    monkeypatch.setenv("BAI_CONTEXT", "b")
    assert select(None, tmp_path).name == "b"
    assert select("a", tmp_path).name == "a"
    monkeypatch.setenv("BAI_CONTEXT", "c")
    assert refused(tmp_path).startswith("there is no context 'c', which BAI_CONTEXT names (")


def test_a_file_that_cant_be_read(write, tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", path)

    write("")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert refused(tmp_path) == f"can't read {tmp_path}/bai.toml: Permission denied"
