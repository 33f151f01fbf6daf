import json

import pytest

from bai.runtime.mounts.vfs_cache import Written, written_files


@pytest.fixture
def meta(tmp_path):
    """Note of the file `a/words` of 2 bytes, all of which the cache holds."""
    content = tmp_path / "vfs/bai{0}/data/a/words"
    content.parent.mkdir(parents=True)
    content.write_bytes(b"hi")
    path = tmp_path / "vfsMeta/bai{0}/data/a/words"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"Size": 2, "Rs": [{"Pos": 0, "Size": 2}], "Dirty": True}))
    return path


def test_a_note_says_what_is_left_to_upload(meta, tmp_path):
    assert [*written_files(tmp_path, "data")] == [Written("a/words", False, True)]


@pytest.mark.parametrize("text", ["", '{"Size": 2, "Rs": [{"Po'])
def test_a_note_that_is_being_written_leaves_its_file_open(meta, tmp_path, text):
    meta.write_text(text)
    assert [*written_files(tmp_path, "data")] == [Written("a/words", False, False)]


def test_a_file_that_was_cut_is_whole_with_what_is_left(meta, tmp_path):
    note = {"Size": 1, "Rs": [{"Pos": 0, "Size": 2}], "Dirty": True}
    meta.write_text(json.dumps(note))
    assert [*written_files(tmp_path, "data")] == [Written("a/words", False, False, 1)]
    (tmp_path / "vfs/bai{0}/data/a/words").write_bytes(b"h")
    assert [*written_files(tmp_path, "data")] == [Written("a/words", False, True)]


def test_notes_of_another_form_are_an_error(meta, tmp_path):
    meta.write_text("{}")
    with pytest.raises(ValueError, match=r"a/words is none of rclone's"):
        [*written_files(tmp_path, "data")]
