"""Files replaced at once, or not at all."""

import os

import pytest

from bai.linter.driver.fixing import open_source
from bai.specs.errors import ConflictError


@pytest.mark.parametrize(
    "data", [b"a: \xc3\xa4\r\nb", b"\xef\xbb\xbfa: 1\n", "\ufeffa: ä".encode("utf-16-le")]
)
def test_bytes_mode_and_link_are_kept(tmp_path, data):
    file, link = tmp_path / "real/f.yaml", tmp_path / "link.yaml"
    file.parent.mkdir()
    file.write_bytes(data)
    file.chmod(0o640)
    link.symlink_to("real/f.yaml")
    source = open_source(link)
    source.replace(source.text.replace("a:", "a: b,"))
    encoding = source.encoding
    assert file.read_bytes() == data.replace("a:".encode(encoding), "a: b,".encode(encoding))
    assert file.stat().st_mode & 0o7777 == 0o640
    assert link.is_symlink()
    assert [path.name for path in file.parent.iterdir()] == ["f.yaml"]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path):
    file = tmp_path / "f.yaml"
    file.write_text("a: 1\n")
    source = open_source(file)
    file.write_text("a: 2\n")
    with pytest.raises(ConflictError):
        source.replace("a: 3\n")
    assert file.read_text() == "a: 2\n"
    file.unlink()
    with pytest.raises(FileNotFoundError):
        source.replace("a: 3\n")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_file_is_an_error(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "round").symlink_to("round")
    for name in ("pipe", "round", "gone", "."):
        with pytest.raises(OSError):
            open_source(tmp_path / name)
