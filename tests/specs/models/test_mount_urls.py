"""Mounts in a line."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from bai.specs.models.mount_lines import format_mount_url
from bai.specs.models.mount_urls import parse_mount_url
from bai.specs.models.mounts import Mount

SERVER = "/subscriptions/s/resourceGroups/g/providers/Microsoft.BatchAI/workspaces/w/fileServers/f"


def full(text):
    mount = Mount.model_validate(parse_mount_url(text))
    return mount.model_dump(by_alias=True, exclude_none=True)


@pytest.mark.parametrize(
    ("line", "mount"),
    [
        ("azureFile:s", {"azureFile": {"share": "s"}}),
        ("azureFile:///s", {"azureFile": {"share": "s"}}),
        ("azureFile://acc/s", {"azureFile": {"account": "acc", "share": "s"}}),
        ("azureFile://acc/s/d/e/", {"azureFile": {"account": "acc", "share": "s/d/e"}}),
        (
            "azureFile://<AZURE_BATCHAI_STORAGE_ACCOUNT>/s?fileMode=0755&directoryMode=0700",
            {
                "azureFile": {
                    "account": "<AZURE_BATCHAI_STORAGE_ACCOUNT>",
                    "share": "s",
                    "fileMode": "0755",
                    "directoryMode": "0700",
                }
            },
        ),
        ("azureBlob:c", {"azureBlob": {"container": "c"}}),
        ("azureBlob:///c", {"azureBlob": {"container": "c"}}),
        (
            "azureBlob://acc/c?options=-o allow_other --tmp=/mnt",
            {
                "azureBlob": {
                    "account": "acc",
                    "container": "c",
                    "options": "-o allow_other --tmp=/mnt",
                }
            },
        ),
        ("fileServer:n", {"fileServer": {"name": "n"}}),
        ("fileServer://n", {"fileServer": {"name": "n"}}),
        ("fileServer:n/d", {"fileServer": {"name": "n", "source": "d"}}),
        (
            "fileServer://n/d/e?options=rw,a+b",
            {"fileServer": {"name": "n", "source": "d/e", "options": "rw,a+b"}},
        ),
        (f"fileServer://{SERVER}", {"fileServer": {"name": SERVER}}),
        (
            "command: mount -t cifs //h/s?x=%20",
            {"unmanaged": {"command": "mount -t cifs //h/s?x=%20"}},
        ),
        ("file:../a b", {"file": {"path": "../a b"}}),
        (
            "https://acc.file.core.windows.net/s/d",
            {"azureFile": {"account": "acc", "share": "s/d"}},
        ),
        (
            "https://acc.file.core.chinacloudapi.cn/s",
            {
                "azureFile": {
                    "account": "acc",
                    "url": "https://acc.file.core.chinacloudapi.cn/s",
                }
            },
        ),
        (
            "https://acc.blob.core.windows.net/c/",
            {"azureBlob": {"account": "acc", "container": "c"}},
        ),
    ],
)
def test_lines(line, mount):
    assert full(line) == mount


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("azurefile:s", "azureFile"),
        ("azure_blob://a/b", "azureBlob"),
        ("nfs:/x", "valid here: azureFile"),
        ("share", "azureFile:SHARE"),
        ("azureFile://acc", "azureFile://ACCOUNT/SHARE"),
        ("azureFile:/s", "write azureFile:s, or azureFile://ACCOUNT/s with its account"),
        ("azureBlob:/c?options=x", "write azureBlob:c, or azureBlob://ACCOUNT/c"),
        ("azureFile:/", "azureFile:SHARE"),
        ("azureBlob:c?option=x", "options"),
        ("azureBlob:c/d", "mount 'c'"),
        ("fileServer://", "fileServer://NAME"),
        ("file: ", "file:PATH"),
        ("https://acc.queue.core.windows.net/s", "https://ACCOUNT.file"),
        ("https://acc.blob.core.chinacloudapi.cn/s", None),
    ],
)
def test_errors_name_the_way_out(line, hint):
    with pytest.raises(PydanticCustomError) as caught:
        parse_mount_url(line)
    assert caught.value.type == "BAI501"
    assert (caught.value.context["hint"] or "").find(hint or "") >= 0


@pytest.mark.parametrize(
    "line",
    ["https://acc.blob.core.windows.net/c?sig=hush", "azureFile://acc:hush@h/s"],
)
def test_keys_in_a_line_are_refused_and_not_repeated(line):
    with pytest.raises(PydanticCustomError) as caught:
        parse_mount_url(line)
    assert caught.value.type == "BAI601"
    assert "hush" not in f"{caught.value} {caught.value.context}"


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
optional = st.none() | words
modes = st.none() | st.from_regex("0?[0-7]{3}", fullmatch=True)


def filled(**strategies):
    return st.fixed_dictionaries(strategies).map(
        lambda fields: {key: value for key, value in fields.items() if value is not None}
    )


mounts = st.one_of(
    filled(account=optional, share=words, fileMode=modes, directoryMode=modes).map(
        lambda share: {"azureFile": share}
    ),
    filled(account=optional, url=words).map(lambda share: {"azureFile": share}),
    filled(account=optional, share=words, key=st.just("env:KEY")).map(
        lambda share: {"azureFile": share}
    ),
    filled(account=optional, container=words, options=optional).map(
        lambda blob: {"azureBlob": blob}
    ),
    filled(name=words | st.just(SERVER), source=optional, options=optional).map(
        lambda server: {"fileServer": server}
    ),
    filled(command=words).map(lambda command: {"unmanaged": command}),
    filled(path=words).map(lambda path: {"file": path}),
).map(Mount.model_validate)


@given(mounts)
def test_format_is_the_inverse_of_parse(mount):
    line = format_mount_url(mount)
    if line is not None:
        assert Mount.model_validate(parse_mount_url(line)) == mount


plain_names = st.text("abc-09", min_size=1)


@given(plain_names, plain_names, st.none() | st.from_regex("0[0-7]{3}", fullmatch=True))
def test_plain_mounts_have_a_line(account, share, mode):
    for owner in (account, None):
        fields = {"account": owner, "share": share, "fileMode": mode}
        assert format_mount_url(Mount.model_validate({"azureFile": fields})) is not None


def test_a_key_needs_the_full_form():
    assert format_mount_url(Mount.model_validate({"azureBlob": {"container": "c"}}))
    keyed = {"azureBlob": {"container": "c", "key": "env:KEY"}}
    assert format_mount_url(Mount.model_validate(keyed)) is None


@given(st.text())
def test_no_line_raises_anything_else(line):
    with contextlib.suppress(PydanticCustomError, ValidationError):
        Mount.model_validate(parse_mount_url(line))
