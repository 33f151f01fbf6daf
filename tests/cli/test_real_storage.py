"""`bai storage` on the containers of a real account, which Azurite serves."""

import contextlib
import hashlib
import http.client
import http.server
import os
import socket
import subprocess
import threading
import uuid
from datetime import UTC, datetime, timedelta

import pytest

BLOCK = 8 << 20


@pytest.fixture
def box(azurite):
    """A container of the test's own, which does not exist yet: its client."""
    service = pytest.importorskip("azure.storage.blob").BlobServiceClient(
        azurite.endpoint(),
        credential={"account_name": "vision", "account_key": azurite.key},
        retry_total=0,
    )
    with service, service.get_container_client(f"box-{uuid.uuid4().hex}") as container:
        yield container
        with contextlib.suppress(Exception):
            container.delete_container()


@pytest.fixture
def real(bai, azurite, box):
    """bai, with the account `vision`; `{box}` in an argument is the container's name."""

    def run(*arguments, **more):
        named = [str(each).format(box=box.container_name) for each in arguments]
        done = bai.run("storage", *named, **more)
        assert azurite.key not in done.stdout + done.stderr
        return done

    table(bai, azurite, 'key = "env:VISION_KEY"')
    bai.environment["VISION_KEY"] = azurite.key
    bai.storage_ = run
    return bai


def table(bai, azurite, credential, endpoint=None):
    """Write a bai.toml whose account `vision` has this credential."""
    (bai.folder / "bai.toml").write_text(
        "[contexts.test.accounts.vision]\n"
        f'blob-endpoint = "{endpoint or azurite.endpoint()}"\n{credential}\n'
    )


def made(folder, files):
    """Make files in a folder: path -> content, None for an empty folder."""
    for path, content in files.items():
        at = folder / path
        if content is None:
            at.mkdir(parents=True)
        else:
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_bytes(content)
    return folder


def tree(folder):
    """Return what `made` would make of a folder."""
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() or not any(path.iterdir())
    }


FILES = {"a.bin": b"a", "deep/b.bin": b"bb", "deep/er/c.txt": b"", "empty": None, "ü/ 1%.txt": b"x"}


def test_a_folder_goes_there_and_comes_back(real, box):
    made(real.folder / "data", FILES)
    new = real.storage_("cp", "-r", "data", "azureBlob://vision/{box}")
    assert new.stdout == f"created azureBlob://vision/{box.container_name}\ncopied 4 files\n"
    again = real.storage_("cp", "-r", "data", "azureBlob://vision/{box}/deep/")
    assert again.stdout == "copied 4 files\n"
    listed = real.storage_("ls", "-r", "azureBlob://vision/{box}").stdout.splitlines()
    assert [line[listed[0].index("NAME") :] for line in listed[1:]] == [
        "a.bin", "deep/", "deep/b.bin", "deep/data/", "deep/data/a.bin", "deep/data/deep/",
        "deep/data/deep/b.bin", "deep/data/deep/er/", "deep/data/deep/er/c.txt",
        "deep/data/empty/", "deep/data/ü/", "deep/data/ü/ 1%.txt", "deep/er/", "deep/er/c.txt",
        "empty/", "ü/", "ü/ 1%.txt",
    ]  # fmt: skip
    # Azure's own tools mark a folder that has files, too.
    box.upload_blob("deep", b"", metadata={"hdi_isfolder": "true"})
    level = real.storage_("ls", "azureBlob://vision/{box}").stdout.splitlines()
    assert [line.split()[-1] for line in level[1:]] == ["a.bin", "deep/", "empty/", "ü/"]
    real.storage_("rm", "-r", "azureBlob://vision/{box}/deep/data")
    assert (
        real.storage_("cp", "-r", "azureBlob://vision/{box}", "back").stdout == "copied 4 files\n"
    )
    assert tree(real.folder / "back") == FILES


def test_a_file_is_copied_listed_read_and_removed(real, box):
    (real.folder / "in.txt").write_text("data")
    real.storage_("cp", "in.txt", "azureBlob://vision/{box}/dir/")
    properties = box.get_blob_client("dir/in.txt").get_blob_properties()
    assert bytes(properties.content_settings.content_md5) == hashlib.md5(b"data").digest()
    assert real.storage_("cp", "azureBlob://vision/{box}/dir/in.txt", "-").stdout == "data"
    real.storage_("cp", "-", "azureBlob://vision/{box}/piped", input="more")
    assert real.storage_("cp", "azureBlob://vision/{box}/piped", "out").stdout == "copied 1 file\n"
    assert (real.folder / "out").read_text() == "more"
    assert (real.folder / "out").stat().st_mode & 0o777 == 0o666 & ~umask()
    listed = real.storage_("ls", "azureBlob://vision/{box}").stdout.splitlines()
    assert [line.split()[-1] for line in listed] == ["NAME", "dir/", "piped"]
    refused = real.storage_("rm", "azureBlob://vision/{box}/dir", code=2).stderr
    assert refused.endswith("/dir is a folder: -r removes all of it\n")
    real.storage_("rm", "azureBlob://vision/{box}/piped")
    slip = real.storage_("rm", "azureBlob://vision/{box}/dir/inn.txt", code=2).stderr
    assert slip.endswith(f"(did you mean azureBlob://vision/{box.container_name}/dir/in.txt?)\n")
    whole = real.storage_("rm", "-r", "azureBlob://vision/{box}", code=2, stdin=subprocess.DEVNULL)
    assert "is a whole share: add --yes" in whole.stderr
    assert f"azureBlob://vision/{box.container_name}\n" in real.storage_("ls").stdout
    real.storage_("rm", "-r", "azureBlob://vision/{box}", "--yes")
    assert not box.exists()


def umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_copies_between_accounts_are_the_same(real, box):
    made(real.folder / "data", FILES)
    real.storage_("cp", "-r", "data", "azureBlob://vision/{box}")
    real.storage_("cp", "-r", "azureBlob://vision/{box}", "azureBlob:folder")
    assert tree(real.folder / ".bai/storage/default/blobs/folder") == FILES
    real.storage_("cp", "-r", "azureBlob:folder/", "azureBlob://vision/{box}")
    inside = real.storage_(
        "cp", "-r", "azureBlob://vision/{box}", "azureBlob://vision/{box}/x", code=2
    )
    assert "that is in the folder itself" in inside.stderr
    real.storage_("cp", "-r", "azureBlob://vision/{box}/folder", "azureBlob://vision/{box}/again")
    real.storage_("cp", "-r", "azureBlob://vision/{box}/again", "back")
    assert tree(real.folder / "back") == FILES


def test_a_wildcard_stands_for_what_fits(real, box):
    made(real.folder / "data", {"a.bin": b"a", "b.bin": b"b", "c.txt": b"c", "d/e.bin": b"e"})
    for account in ("azureBlob://vision/{box}", "azureBlob:box"):
        real.storage_("cp", "-r", "data/", account)
        out = real.folder / account.partition("/")[0].replace(":", "")
        real.storage_("cp", f"{account}/*.bin", out)
        assert tree(out) == {"a.bin": b"a", "b.bin": b"b"}
        assert real.storage_("cp", f"{account}/?/e.bin", out).stdout == "copied 1 file\n"
        folder = real.storage_("cp", f"{account}/*", out, code=2).stderr
        assert "/d is a folder: -r copies all of it\n" in folder
        real.storage_("cp", "-r", f"{account}/*", out)
        assert (out / "d/e.bin").read_bytes() == b"e"
        nothing = real.storage_("cp", f"{account}/*.bni", out, code=2).stderr
        assert nothing.startswith("error: nothing fits ")
        (real.folder / "literal*").write_text("x")
        real.storage_("cp", "literal*", f"{account}/")
        assert real.storage_("cp", f"{account}/literal*", "-").stdout == "x"


def test_a_large_file_goes_in_blocks_and_an_interrupted_upload_goes_on(real, box):
    content = os.urandom(3 * BLOCK + 5)
    (real.folder / "large").write_bytes(content)
    box.create_container()
    blob = box.get_blob_client("large")
    # What an upload of the same file has left that was killed, and what one of another file has.
    digest = hashlib.md5(content[BLOCK : 2 * BLOCK]).hexdigest()
    blob.stage_block(f"00000001-{digest}", b"marked")
    blob.stage_block(f"00000002-{'0' * 32}", b"other")
    real.storage_("cp", "large", "azureBlob://vision/{box}/large")
    there = blob.download_blob().readall()
    # The block that was there was not sent again.
    assert there == content[:BLOCK] + b"marked" + content[2 * BLOCK :]
    assert bytes(blob.get_blob_properties().content_settings.content_md5) == (
        hashlib.md5(content).digest()
    )
    # And a download says that its checksum is wrong.
    wrong = real.storage_("cp", "azureBlob://vision/{box}/large", "out", code=2).stderr
    assert wrong.endswith(": it has not arrived as it was uploaded (Content-MD5): copy it again\n")
    assert sorted(path.name for path in real.folder.iterdir()) == ["bai.toml", "large"]
    real.storage_("rm", "azureBlob://vision/{box}/large")
    real.storage_("cp", "large", "azureBlob://vision/{box}/large")
    real.storage_("cp", "azureBlob://vision/{box}/large", "out")
    assert (real.folder / "out").read_bytes() == content


@contextlib.contextmanager
def relayed(azurite, refused):
    """Serve what Azurite serves, but for ranges that begin at one offset; give (URL, ranges)."""
    ranges = []

    class Relay(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            asked = self.headers.get("x-ms-range")
            if asked:
                ranges.append(int(asked.removeprefix("bytes=").partition("-")[0]))
            if asked and ranges[-1] == refused:
                self.close_connection = True
                return
            behind = http.client.HTTPConnection(azurite.url.removeprefix("http://"))
            behind.request(self.command, self.path, headers=dict(self.headers))
            answer = behind.getresponse()
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.read())
            behind.close()

        do_HEAD = do_GET  # noqa: N815 - a name of the base class

        def log_message(self, *arguments):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Relay) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/vision", ranges
        finally:
            server.shutdown()
            thread.join()


def test_an_interrupted_download_goes_on_unless_the_blob_has_changed(real, azurite, box):
    content = os.urandom(2 * BLOCK + 5)
    (real.folder / "large").write_bytes(content)
    real.storage_("cp", "large", "azureBlob://vision/{box}/large")
    out, copy = real.folder / "out", ("cp", "azureBlob://vision/{box}/large", "out/")
    out.mkdir()
    for is_changed in (False, True):
        with relayed(azurite, refused=2 * BLOCK) as (url, ranges):
            table(real, azurite, 'key = "env:VISION_KEY"', url)
            assert "error: can't copy azureBlob" in real.storage_(*copy, code=2).stderr
        assert not (out / "large").exists()
        (left,) = out.iterdir()
        assert left.read_bytes() == content[: 2 * BLOCK]
        if is_changed:
            content = os.urandom(2 * BLOCK + 5)
            box.upload_blob("large", content, overwrite=True)
        with relayed(azurite, refused=None) as (url, ranges):
            table(real, azurite, 'key = "env:VISION_KEY"', url)
            real.storage_(*copy)
        assert sorted(ranges) == ([0, BLOCK, 2 * BLOCK] if is_changed else [2 * BLOCK])
        assert [path.name for path in out.iterdir()] == ["large"]
        assert (out / "large").read_bytes() == content
        (out / "large").unlink()


def test_errors_of_accounts_are_one_sentence_each(real, azurite, box):
    def error(*arguments, **env):
        return real.storage_(*arguments, code=2, env=env).stderr

    name = box.container_name
    assert error("ls", "azureBlob://vision/{box}").startswith(
        f"error: there is nothing at azureBlob://vision/{name} in the account vision ("
    )
    assert error("ls", "azureBlob://vision/{box}", VISION_KEY="bm90IGl0") == (
        "error: the account vision refuses access (HTTP 403, AuthorizationFailure): "
        "is the key that of this account?\n"
    )
    assert error("ls", "azureBlob://vision/{box}", VISION_KEY="not base64") == (
        "error: the key of the account vision is no key: that is text in base64\n"
    )
    for wrong in ("No_Name", "ab"):
        assert error("cp", "-", f"azureBlob://vision/{wrong}/x") == (
            f"error: {wrong!r} is no name of a container: these have 3 to 63 lower-case letters, "
            "digits and single hyphens\n"
        )
    table(real, azurite, "")
    assert error("ls", "azureBlob://vision/{box}") == (
        "error: can't use the account vision: the environment variable AZURE_BATCHAI_STORAGE_KEY "
        "is not set: export it first, or write key, sas or identity in its table of bai.toml\n"
    )
    table(real, azurite, 'key = "env:VISION_KEY"', azurite.endpoint("nobody"))
    assert error("ls", "azureBlob://vision/{box}") == (
        f"error: there is no account vision at {azurite.endpoint('nobody')}\n"
    )


def test_an_account_that_can_t_be_reached_is_given_up(real, azurite):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{closed.getsockname()[1]}/vision"
        table(real, azurite, 'key = "env:VISION_KEY"', endpoint)
        down = real.storage_("ls", "azureBlob://vision/box", code=2).stderr
        assert down == (f"error: can't reach {endpoint} (account vision): Connection refused\n")
        (real.folder / ".bai/storage/default/files/share").mkdir(parents=True)
        listed = real.storage_("ls", code=1)
        assert listed.stdout == "azureFile:share\n"
        assert (
            listed.stderr
            == f"not listed: can't reach {endpoint} (account vision): Connection refused\n"
        )


def test_a_file_service_that_can_t_be_reached_is_given_up(real, azurite):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{closed.getsockname()[1]}/vision"
        table(real, azurite, f'key = "env:VISION_KEY"\nfile-endpoint = "{endpoint}"')
        down = real.storage_("ls", "azureFile://vision/share", code=2).stderr
        assert down == f"error: can't reach {endpoint} (account vision): Connection refused\n"


def test_the_key_of_the_old_command_line_is_used_where_a_table_has_none(real, azurite, box):
    box.create_container()
    table(real, azurite, "")
    real.storage_("ls", "azureBlob://vision/{box}", env={"AZURE_BATCHAI_STORAGE_KEY": azurite.key})


def test_a_signature_for_one_container_is_enough(real, azurite, box):
    from azure.storage.blob import generate_container_sas

    box.create_container()
    signature = generate_container_sas(
        "vision",
        box.container_name,
        account_key=azurite.key,
        permission="racwdl",
        expiry=datetime.now(UTC) + timedelta(hours=1),
    )
    table(real, azurite, 'sas = "file:vision.sas"')
    (real.folder / "vision.sas").write_text(f"?{signature}\n")
    made(real.folder / "data", FILES)
    done = real.storage_("cp", "-r", "data", "azureBlob://vision/{box}/")
    assert done.stdout == "copied 4 files\n"
    real.storage_("cp", "-r", "azureBlob://vision/{box}/data", "back")
    assert tree(real.folder / "back") == FILES
    (real.folder / "vision.sas").write_text(signature.replace("sig=", "sig=A"))
    wrong = real.storage_("ls", "azureBlob://vision/{box}", code=2).stderr
    assert wrong == (
        "error: the account vision refuses access (HTTP 403, AuthorizationFailure): "
        "has the signature ended, or does it allow less?\n"
    )
    assert signature not in wrong


def test_without_the_extra_the_message_says_how_to_get_it(real):
    # A package of that name without anything in it hides Azure's.
    made(real.folder / "empty", {"azure/__init__.py": b""})
    done = real.storage_(
        "ls", "azureBlob://vision/box", code=2, env={"PYTHONPATH": str(real.folder / "empty")}
    )
    assert done.stderr == (
        "error: the account vision is real, which needs azure-storage-blob: "
        "pip install 'bai[azure]'\n"
    )


def test_names_that_are_no_paths_are_left_out(real, box):
    box.create_container()
    for name in ("a//b", "fine"):
        box.upload_blob(name, b"x")
    done = real.storage_("cp", "-r", "azureBlob://vision/{box}", "deep/out/", code=1)
    address = f"azureBlob://vision/{box.container_name}"
    assert done.stdout == "copied 1 file; 1 could not be copied\n"
    assert [line.replace(address, "") for line in done.stderr.splitlines()] == [
        "not copied: /a//b: its name is no path of a file",
    ]
    assert [path.name for path in (real.folder / "deep").rglob("*") if path.is_file()] == ["fine"]
