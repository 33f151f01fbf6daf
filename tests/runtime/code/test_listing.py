"""What is in the code of a job, and what keeps a folder from being code."""

import os
import shutil
import socket

import pytest

from bai.runtime.code.listing import Entry, EntryKind, list_folder
from bai.runtime.code.manifest import Manifest, read_manifest

LIMIT = 10_000


@pytest.fixture
def make(tmp_path):
    """Return a function that makes a folder with files: path -> content."""

    def write(files, name="code"):
        for path, content in files.items():
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text(content)
        return tmp_path / name

    return write


def paths(folder, own=()):
    found = list_folder(str(folder), own, LIMIT)
    assert found.problems == []
    return sorted(entry.path for entry in found.entries)


def test_what_the_rules_leave_out(make):
    folder = make(
        {
            ".gitignore": "data/\n*.log\n!kept.log\n/only-here\n",
            ".baiignore": "notes.txt\n!data/\n",
            "train.py": "",
            "notes.txt": "",
            "a.log": "",
            "kept.log": "",
            "only-here": "",
            "data/x": "",
            "sub/only-here": "",
            "sub/.gitignore": "!b.log\nlocal\n",
            "sub/b.log": "",
            "sub/local": "",
        }
    )
    assert paths(folder) == [
        ".gitignore",
        "data/x",
        "kept.log",
        "sub/.gitignore",
        "sub/b.log",
        "sub/only-here",
        "train.py",
    ]


def test_a_folder_that_is_left_out_is_not_entered(make):
    folder = make({".gitignore": "data/\n", "data/.gitignore": "!x\n", "data/x": "", "y": ""})
    assert paths(folder) == [".gitignore", "y"]


def test_the_rules_of_the_repository_around_it_count(make):
    make({".git/HEAD": "", ".gitignore": "*.log\n/code/notes\n"}, "repository")
    folder = make({"a.log": "", "notes": "", "train.py": ""}, "repository/code")
    assert paths(folder) == ["train.py"]


def test_a_pattern_that_is_none_is_passed_over(make):
    assert paths(make({".gitignore": "!\n*.log\n", "a.log": "", "b": ""})) == [".gitignore", "b"]


def test_what_is_never_code(make):
    folder = make(
        {
            "train.py": "",
            ".git/HEAD": "",
            ".bai/state.db": "",
            "__pycache__/train.pyc": "",
            "venv/pyvenv.cfg": "",
            "venv/lib/x.py": "",
            "bai.toml": "",
            "specs/experiment.yaml": "# A comment.\napiVersion: bai/v1\n",
            "specs/model.yaml": "layers: 2\n",
            "accounts/x": "",
        }
    )
    own = {f"{folder}/accounts"}
    assert paths(folder, own) == ["specs/model.yaml", "train.py"]


def test_links_stay_links_and_what_is_no_file_stays_out(make):
    folder = make({"train.py": "x", "sub/a": ""})
    (folder / "sub/link").symlink_to("../train.py")
    (folder / "folder").symlink_to("sub")
    (folder / "dangling").symlink_to("nothing")
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(f"{folder}/socket")
    (folder / "train.py").chmod(0o755)
    found = list_folder(str(folder), (), LIMIT)
    assert sorted(found.entries, key=lambda entry: entry.path) == [
        Entry("dangling", EntryKind.LINK, 0, "nothing"),
        Entry("folder", EntryKind.LINK, 0, "sub"),
        Entry("sub/a", EntryKind.FILE, 0),
        Entry("sub/link", EntryKind.LINK, 0, "../train.py"),
        Entry("train.py", EntryKind.PROGRAM, 1),
    ]


@pytest.mark.parametrize("target", ["../other", "/etc/hosts", "sub/../../x"])
def test_a_link_that_leaves_the_folder_is_a_problem(make, target):
    folder = make({"train.py": ""})
    (folder / "data").symlink_to(target)
    [problem] = list_folder(str(folder), (), LIMIT).problems
    assert problem.code == "BAI518"
    assert f"the link data leads out of the folder, to {target}" in problem.message


def test_a_folder_that_is_too_large_names_its_largest_entries(make):
    folder = make({"model/a": "x" * 6000, "model/b": "x" * 3000, "c": "x" * 2000, "d": "", "e": ""})
    [problem] = list_folder(str(folder), (), LIMIT).problems
    assert problem.code == "BAI519"
    assert problem.message == (
        "the code is 11 kB, more than 10 kB: model (9.0 kB), c (2.0 kB), d (0 bytes)"
    )
    assert ".baiignore" in problem.hint
    assert list_folder(str(folder), (), 11_000).problems == []


@pytest.mark.parametrize(
    ("path", "message"), [("nowhere", "there is no folder"), ("train.py", "is a file")]
)
def test_a_folder_that_is_none(make, path, message):
    folder = make({"train.py": ""})
    [problem] = list_folder(str(folder / path), (), LIMIT).problems
    assert problem.code == "BAI521"
    assert message in problem.message


def manifest(folder):
    return read_manifest(list_folder(str(folder), (), LIMIT))


def test_the_name_depends_on_the_content_alone(make):
    files = {"train.py": "x", "sub/a": "y", "sub/b": "z"}
    one = manifest(make(files, "one"))
    other = manifest(make(dict(reversed(files.items())), "other"))
    assert one.name == other.name
    assert one.words == "3 files, 3 bytes"
    assert Manifest.of_text(one.as_text()).name == one.name


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda path: (path / "train.py").write_text("X"), "train.py changed"),
        (lambda path: (path / "train.py").chmod(0o755), "train.py changed"),
        (lambda path: (path / "new").touch(), "new added; /new in .baiignore leaves it out"),
        (lambda path: (path / "sub/a").unlink(), "sub/a removed"),
        (
            lambda path: (path / "sub/a").rename(path / "a"),
            "a added, sub/a removed; /a in .baiignore leaves it out",
        ),
        (
            lambda path: [(path / name).touch() for name in "defgh"],
            "d, e, f and 2 more added; /d, /e, /f and so on in .baiignore leave them out",
        ),
        (
            lambda path: [
                (path / name).mkdir(parents=True) or (path / name / "x").touch()
                for name in ("MODEL/deep", "sub/new")
            ],
            "MODEL/deep/x, sub/new/x added; /MODEL/, /sub/new/ in .baiignore leave them out",
        ),
    ],
)
def test_whatever_changes_is_named_and_another_snapshot(make, change, words):
    folder = make({"train.py": "x", "sub/a": "y"})
    before = manifest(folder)
    change(folder)
    after = manifest(folder)
    assert after.name != before.name
    assert after.changes(before) == words


def test_a_file_is_no_link_of_the_same_content(make):
    folder = make({"train.py": "target"})
    before = manifest(folder)
    (folder / "train.py").unlink()
    (folder / "train.py").symlink_to("target")
    assert manifest(folder).name != before.name


def test_times_and_empty_folders_do_not_matter(make, tmp_path):
    folder = make({"train.py": "x"})
    before = manifest(folder)
    os.utime(folder / "train.py", (0, 0))
    (folder / "empty").mkdir()
    shutil.copytree(folder, tmp_path / "copy")
    assert manifest(folder).name == before.name == manifest(tmp_path / "copy").name
