"""Secrets are found by shape, by name and by entropy; what only looks like one is left alone.

The secrets here are made up, and put together so that no scanner takes this file for a leak.
"""

import base64
import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.linter.secrets import search as secrets
from bai.linter.secrets.names import SECRET_NAMES
from bai.linter.secrets.prefilter import is_suspect

RANDOM = random.Random(7)


def some(count: int, letters: str = string.ascii_letters + string.digits) -> str:
    return "".join(RANDOM.choices(letters, k=count))


ACCOUNT_KEY = base64.b64encode(RANDOM.randbytes(64)).decode()
SHAPES = {
    "an Azure storage account key": [ACCOUNT_KEY],
    "a shared access signature (SAS)": ["Zm9v" + some(36) + "%3D"],
    "a shared access key": [base64.b64encode(RANDOM.randbytes(32)).decode()],
    "an AWS access key id": ["AKIA" + some(16, string.ascii_uppercase)],
    "a GitHub token": ["ghp" + "_" + some(36), "github" + "_pat_" + some(22) + "_" + some(59)],
    "a GitLab token": ["glpat" + "-" + some(20)],
    "a Slack token": ["xoxb" + "-123456789012-" + some(24)],
    "a Hugging Face token": ["hf" + "_" + some(34)],
    "a Google API key": ["AIza" + some(35)],
    "an API key": ["sk" + "-" + some(48), "sk" + "-ant-api03-" + some(60)],
    "a private key": ["-----BEGIN " + "RSA PRIVATE KEY-----", "-----BEGIN " + "PRIVATE KEY-----"],
    "a JSON web token": ["eyJ" + some(20) + ".eyJ" + some(40) + "." + some(43)],
}
AROUND = {
    "a shared access signature (SAS)": "https://a.blob.core.windows.net/c?sv=2017-07-29&se=2019&sig={}",
    "a shared access key": "Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccessKey={}",
}


@pytest.mark.parametrize(
    ("what", "value"), [(what, value) for what, values in SHAPES.items() for value in values]
)
@pytest.mark.parametrize("around", ["{}", "train.py --a b {} --c d", 'X="{}"'])
def test_a_known_shape_is_found_where_it_stands(what, value, around):
    text = around.format(AROUND.get(what, "{}").format(value))
    (found,) = secrets.find(text)
    assert (text[found.start : found.end], found.what) == (value, what)
    assert found.sure
    assert is_suspect(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("--password S3cr3t-Pa55", "S3cr3t-Pa55"),
        ("--password=hunter2!x", "hunter2!x"),
        ("--db-password 'Tr0ub4dor&3x'", "Tr0ub4dor"),
        ("PGPASSWORD=k8Vd02mQ psql", "k8Vd02mQ"),
        ('{"apiKey": "9fK2mQ7xLp"}', "9fK2mQ7xLp"),
        ("password: W1nter2018x", "W1nter2018x"),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzQ1mPLEKEYz", None),
        ("https://me:s3cr3tx@host.example/x", "s3cr3tx"),
        ("DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abcd1234EFGH5678;E=x", None),
    ],
)
def test_a_value_under_a_telling_name_is_found(text, value):
    (found,) = secrets.find(text)
    if value:
        assert text[found.start : found.end].startswith(value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WANDB_API_KEY", some(40, "0123456789abcdef")),
        ("PASSWORD", "k8Vd02mQ"),
        ("adminUserPassword", "P@ssw0rd1x"),
        ("accountKey", "abcd1234EFGH5678"),
        ("HF_TOKEN", some(30)),
    ],
)
def test_the_name_of_a_value_decides(name, value):
    (found,) = secrets.find(value, name)
    assert (found.start, found.end) == (0, len(value))
    assert secrets.find(value, "COMMIT") == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PASSWORD", "hunter2"),
        ("PASSWORD", "pw"),
        ("PASSWORD", "123456"),
        ("PASSWORD", "Password1!"),
        ("DB_PASSWORD", "S3cr3t!"),
        ("DB_PASSWORD", "postgres"),
        ("dbPassword", "postgres"),
        ("MYSQL_USER_PWD", "hunter2"),
        ("API_KEY", "abc-def-123"),
        ("TOKEN", "opensesame"),
        ("GITHUB_TOKEN", "abc"),
        ("CLIENT_SECRET", "top-secret-1"),
    ],
)
def test_under_a_name_that_leaves_no_doubt_any_word_is_one(name, value):
    (found,) = secrets.find(value, name)
    assert (found.start, found.end, found.sure) == (0, len(value), False)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("TOKEN_COUNT", "hunter2"), ("MAX_TOKENS", "4096"), ("TOKENIZER", "bert-base-uncased")),
        *(("PASSWORD_FILE", "hunter2"), ("KEY_FILE", "id_rsa1x"), ("SECRET_NAME", "my-secret-1")),
        *(("API_KEY_ENV", "MY_KEY"), ("PAD_TOKEN", "pad"), ("EOS_TOKEN", "</s>"), ("PWD", "work")),
        *(("USE_PASSWORD", "always"), ("PASSWORD", "true"), ("PASSWORD", "0"), ("PASSWORD", "-")),
        *(("PASSWORD", "/run/secrets/p"), ("PASSWORD", "@secrets/p"), ("PASSWORD", "a/secret/p")),
        *(("PASSWORD", "$DB_PASSWORD"), ("PASSWORD", "${X}"), ("PASSWORD", "$(cat p)")),
        *(("PASSWORD", "x-$HOST"), ("PASSWORD", "<password>"), ("PASSWORD", "[your password]")),
        *(("PASSWORD", "changeme"), ("PASSWORD", "password"), ("PASSWORD", "DB_PASSWORD")),
        *(("PASSWORD", "ask the admin"), ("API_KEY", "EMPTY"), ("API_KEY", "20190304")),
        *(("API_KEY", "my-api-key"), ("TOKEN", "your token"), ("SECRET", "my-vault-secret")),
    ],
)
def test_what_a_careful_person_writes_under_such_names_is_left_alone(name, value):
    assert secrets.find(value, name) == []


LIKE_PLACEHOLDERS = [
    *("mypassword", "Exchange2018!", "Sample#4417x", "Replace8Kx", "my-password", "Example1"),
    *("NullPointer7", "Todoist9!", "abababab", "1111", "Your.Secret.1", "[abc1", "*Hunter2"),
    *("%x9Kd", "<3MyCat99", "{abc", "Pa...ss1", "password1", "Password"[::-1]),
]


@pytest.mark.parametrize("value", LIKE_PLACEHOLDERS)
@pytest.mark.parametrize("name", ["PASSWORD", "DB_PASSWORD", "ROOT_PASSWD"])
def test_a_password_is_one_whatever_it_looks_like(name, value):
    (found,) = secrets.find(value, name)
    assert (found.start, found.end, found.what) == (0, len(value), "a password")
    assert secrets.in_place(value)


@pytest.mark.parametrize("value", ["$3cret!", "/hunter2", "@hunter2", "a b c", "0", "env2:x"])
def test_where_only_a_secret_can_stand_every_value_is_one(value):
    assert secrets.in_place(value) == (0, len(value), "a secret", False)


@pytest.mark.parametrize(
    "value",
    [
        *("", "<password>", "[your password]", "[parameters('password')]", "$VAR", "${VAR}"),
        *("{{ password }}", "{password}", "%PASSWORD%", "$(cat p)", "***", "xxxx", "XXXXXXXX"),
        *(
            "x",
            "...",
            "changeme",
            "ChangeMe",
            "change-me",
            "change_it",
            "changeme123",
            "replace me",
        ),
        *(
            "changeMe!",
            "password",
            "Password",
            "secret",
            "DB_PASSWORD",
            "AZURE_BATCHAI_STORAGE_KEY",
        ),
        *("your-password", "YourPassword", "your password here", "enter-password", "redacted"),
        *("placeholder", "todo", "none", "null", "insert password here", "fixme", "TBD", "dummy"),
        *("<your", "<AZURE_BATCHAI_STORAGE_KEY"),
    ],
)
def test_what_is_certainly_a_placeholder_is_no_password(value):
    assert secrets.find(value, "PASSWORD") == []
    assert secrets.in_place(value) is None


@pytest.mark.parametrize("value", ["mypassword", "Exchange2018!", "Replace8Kx"])
@pytest.mark.parametrize(
    "around",
    [
        *("curl -u me:{} https://host/x", "sshpass -p {} ssh host"),
        *("train.py --password {}", "DB_PASSWORD={} psql", "mysql -u root -p{}"),
    ],
)
def test_a_password_on_a_command_line_is_one_whatever_it_looks_like(around, value):
    text = around.format(value)
    (found,) = secrets.find(text)
    assert text[found.start : found.end] == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("curl -u me:pw https://host/x", "pw"),
        ("curl -sSu me:pw https://host/x", "pw"),
        ("curl -ume:pw https://host/x", "pw"),
        ("curl --user 'me:p w;x' https://host/x", "p w;x"),
        ('curl --user "me:pw" https://host/x', "pw"),
        ("cd /x && sudo curl -fO --user me:p:w https://host/x", "p:w"),
        ("sshpass -p pw ssh -p 22 me@host", "pw"),
        ("sshpass -ppw ssh me@host", "pw"),
        ("docker login -u me -p pw registry.example", "pw"),
        ("docker login --password pw registry.example", "pw"),
        ("az acr login -n lab -u me -p pw", "pw"),
        ("mysql -u root -ppw -h host", "pw"),
        ("mysql --password=pw data", "pw"),
        ("docker exec db mysqldump -ppw data", "pw"),
        ("unzip -P pw data.zip", "pw"),
        ("wget https://me:pw@host/x", "pw"),
        ("PGPASSWORD=pw psql -h host", "pw"),
        ("export TOKEN=opensesame", "opensesame"),
        ("train.py --password hunter2", "hunter2"),
        ("train.py --password=hunter2 --x", "hunter2"),
        ("train.py --password 'hunter 2;x'", "hunter 2;x"),
        ("train.py --password a,b;c", "a,b"),
        ("train.py --password --api-key word", "word"),
        ("train.py --api-key abc-def-123", "abc-def-123"),
        ('/bin/bash -c "curl -u me:pw https://host/x"', "pw"),
        ("/bin/bash -c 'sshpass -p \"pw\" ssh me@host'", "pw"),
        ('/bin/bash -c "curl -u \\"me:pw\\" https://host/x"', "pw"),
        ("mount -t cifs //host/x /x -o username=me,password=hunter2,vers=3", "hunter2"),
    ],
)
def test_a_password_is_found_by_its_place_on_a_command_line(text, value):
    (found,) = secrets.find(text)
    assert text[found.start : found.end] == value
    assert is_suspect(text)


@pytest.mark.parametrize(
    "text",
    [
        *("curl -u me https://host", "curl -u me: https://h/x", "curl -u : --negotiate https://h"),
        *("curl -u $USER:$PW https://host", 'curl -u "me:$(cat p)" https://h', "curl -u me:`p` h"),
        *("curl -u me:<password> https://host", "curl -sSfL https://host/x:y", "curl -T a -u - h"),
        *("sshpass -f p ssh -p 22 me@host", "sshpass -e ssh -p 22 host", "sshpass -p $PW ssh host"),
        *("sshpass -p changeme ssh host", "docker run -p 80:80 image login", "mkdir -p mysql"),
        *("docker login -u me --password-stdin", "docker login -u me -p $PW", "mysql -p data"),
        *("mysql -p$PW data", "mysql -P 3306 data", "mkdir -p a && docker login", "zip -r p.zip p"),
        *("PGPASSWORD=$PW psql", "PASSWORD= psql", "export PASSWORD", "PASSWORD=$(cat p)"),
        *("x --password @file", "x --password -", "x --password --verbose", "x --password\ny"),
        *("x --password ${PW}", "x --password= y", "x --password-file p", "x --max-tokens word"),
        *("x --ask-password now", "x --tokenizer word", "x --token bpe", "x --pad-token pad"),
        *("wget https://me:${PW}@host/x", "python -c 'f(password=word)'", "x --api-key-env A"),
    ],
)
def test_references_and_other_options_are_no_passwords(text):
    assert secrets.find(text) == []


@pytest.mark.parametrize("length", [44, 64, 80])
def test_a_long_random_value_is_found(length):
    value = some(length)
    (found,) = secrets.find(f"--x {value} y")
    assert found == (4, 4 + length, "a long random value", False)


GUID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
HARMLESS = [
    "",
    "$AZ_BATCHAI_MOUNT_ROOT/autoafs/cifar",
    "--model resnet101 --batch_size 64 --variable_update horovod",
    "apt update; apt install mpi-default-dev mpi-default-bin -y; pip install keras horovod",
    GUID,
    f"CLIENT_ID={GUID}",
    f"--token {GUID}",
    f"/subscriptions/{GUID}/resourceGroups/rg/providers/Microsoft.BatchAI/workspaces/batchaidev",
    "9fceb02d0ae598e95dc970b74767f19372d61af8",
    "git checkout 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "image@sha256:" + "0a1b2c3d" * 8,
    "--sha256 " + "0A1B2C3D" * 8,
    "myregistry.azurecr.io/team/resnet50_v2:1.8.0-gpu-py3",
    "<AZURE_BATCHAI_STORAGE_KEY>",
    "AccountName=a;AccountKey=<AZURE_BATCHAI_STORAGE_KEY>;",
    "AccountName=a;AccountKey=$AZURE_STORAGE_KEY_OF_MINE;",
    "--password $PASSWORD",
    "--password ${PASSWORD}",
    "--password=$(cat /run/secrets/p)",
    "--password <password>",
    "--password changeme",
    "--password changeme123",
    "--password xxxxxxxxxxxx",
    "--password=********",
    "PASSWORD={{ db_password }}",
    "--password-file /run/secrets/p4ssword",
    "--token /mnt/secrets/T0ken",
    "--token-file t0ken.txt",
    "secret: <secret env:AZURE_BATCHAI_STORAGE_KEY>",
    "password: env:DB_PASSWORD1",
    "--tokenizer bert-base-uncased",
    "--max-tokens 4096000",
    "--token-embedding-size 1024x512",
    "--primary_key user_id_2",
    "--pass 2",
    "--compass N4orth-W3st",
    "--secret my-vault-secret",
    "--secret MyVaultSecret",
    "the password is in the vault: ask Ann2 for it",
    "see the token Ab3dEf9hIj",
    "https://host.example/a:b@c",
    "https://user@host.example/path",
    "https://user:$TOKEN@host.example/path",
    "https://${USER}:${TOKEN}@host.example/path",
    "http://10.0.0.4:8080/@x",
    "wget https://drive.google.com/uc?id=0B7XkCwpI5KDYNlNUTTlSS21pQmM-0B7XkCwpI5KDYNlNUTTlSS21pQmM",
    "cifar10_resnet50_v2_model_weights_tf_dim_ordering_tf_kernels_notop.h5",
    "BroadcastGlobalVariablesCallbackMetricAverageCallbackLearningRateWarmup2",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ" + some(200) + " ann@host",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + some(43) + " ann@host",
    "sha384-" + base64.b64encode(RANDOM.randbytes(48)).decode(),
    "-----BEGIN PUBLIC KEY----- " + some(64),
    "-----BEGIN CERTIFICATE----- " + some(64),
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "python -c 'import token; print(token.NAME1x)'",
    "sig=" + some(40),
    "--design=https://host/x?design=1&se=2",
    "xxxx" * 21 + "xx==",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_is_left_alone(text):
    assert secrets.find(text) == []


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_is_left_alone_in_an_environment(text):
    assert secrets.find(text, "TRAIN_ARGS") == []


@pytest.mark.parametrize(
    "value",
    ["changeme", "", "x", "<key>", "$KEY", GUID, "/run/secrets/key", "env:KEY12345", "12345678"],
)
def test_placeholders_and_places_are_no_secrets_under_any_name(value):
    assert secrets.find(value, "STORAGE_ACCESS_KEY") == []


def test_two_secrets_of_one_text_are_both_found():
    token = SHAPES["a GitHub token"][0]
    text = f"git clone https://x:{token}@github.com/a/b && az --account-key {ACCOUNT_KEY}"
    assert [(text[one.start : one.end], one.what) for one in secrets.find(text)] == [
        (token, "a GitHub token"),
        (ACCOUNT_KEY, "an Azure storage account key"),
    ]


PIECES = st.sampled_from(
    [
        *(
            "password=",
            "--token ",
            "AccountKey=",
            "sig=",
            "&se=1",
            "://",
            ":",
            "@",
            "eyJ",
            ".",
            "==",
        ),
        *(
            "-----BEGIN ",
            "PRIVATE KEY-----",
            " ",
            '"',
            "gh",
            "p_",
            "A" * 40,
            "aZ9" * 30,
            ACCOUNT_KEY,
        ),
        *("curl -u ", "a:b", "sshpass -p ", "login ", "mysql ", "7z", "-p", "'", "\\", "--user "),
    ]
)
TEXTS = st.text() | st.lists(PIECES | st.text(max_size=5)).map("".join)


@given(TEXTS, st.text() | st.sampled_from(["", "PASSWORD", "X_KEY", "token"]))
def test_any_text_gives_ranges_in_order_without_overlaps(text, name):
    end = 0
    for one in secrets.find(text, name):
        assert end <= one.start < one.end <= len(text)
        end = one.end


@given(TEXTS)
def test_what_is_no_suspect_holds_nothing(text):
    assert is_suspect(text) or not secrets.find(text)


@pytest.mark.parametrize(
    "text",
    [
        "train.py",
        "$AZ_BATCHAI_JOB_MOUNT_ROOT/scripts/resnet50/train.py",
        "https://keys.vault.azure.net/secrets/registry",
    ],
)
def test_usual_texts_are_no_suspects(text):
    assert not is_suspect(text)


WHATS = {what for _, what, _ in secrets._SHAPES} | {
    "a shared access signature (SAS)",
    "a long random value",
    *(f"a {what}" for what, _ in SECRET_NAMES),
}


@given(TEXTS, st.text())
def test_an_answer_is_one_of_few_words_and_so_never_holds_a_secret(text, name):
    assert {one.what for one in secrets.find(text, name)} <= WHATS


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        *("://a:" * 40_000, "password=" * 30_000, "eyJ" * 90_000, "-" * 300_000, "aZ9/" * 70_000),
        *("password " * 30_000, "AccountKey=a" * 20_000, "sig=" * 70_000 + "&se=", "gh" * 100_000),
        *("://" + "a" * 300_000, "sk-" * 90_000, "a." * 150_000, "token" * 60_000, "xox" * 90_000),
        *("curl -u a:b" * 20_000, "curl -u '" * 30_000, 'login -p "' * 30_000, "-pcurl" * 50_000),
        *("8Q~" * 90_000, "A" * 300_000 + "==", "hf_" * 90_000, "token=" + " " * 300_000),
    ],
    ids=lambda text: text[:8],
)
def test_a_long_text_takes_linear_time(text):
    secrets.find(text, "PASSWORD")
