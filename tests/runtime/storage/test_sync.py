"""Synchronised folders are equal, whatever was in them."""

import tempfile
import uuid
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bai.runtime.account_settings import AccountSettings
from bai.runtime.storage.storage import Storage
from bai.specs.secrets import SecretRef

NAMES = st.sampled_from(["a", "b", "a.b", "A", "ü", " x"])
CONTENT = st.sampled_from([b"", b"1", b"2", b"22"])
TREES = st.recursive(
    st.dictionaries(NAMES, CONTENT, max_size=3),
    lambda trees: st.dictionaries(NAMES, CONTENT | trees, max_size=3),
    max_leaves=8,
)


def make(folder, tree):
    folder.mkdir(exist_ok=True)
    for name, content in tree.items():
        if isinstance(content, dict):
            make(folder / name, content)
        else:
            (folder / name).write_bytes(content)


def tree_of(folder):
    return {
        path.name: tree_of(path) if path.is_dir() else path.read_bytes()
        for path in folder.iterdir()
    }


def files_of(tree, above=""):
    """Return the files of a tree: path -> content."""
    found = {}
    for name, content in tree.items():
        if isinstance(content, dict):
            found |= files_of(content, f"{above}{name}/")
        else:
            found[f"{above}{name}"] = content
    return found


@given(TREES, TREES)
def test_folders_become_equal(source, target):
    with tempfile.TemporaryDirectory() as made:
        storage, left, right = Storage(Path(made, "storage")), Path(made, "l"), Path(made, "r")
        make(left, source)
        make(right, target)
        done = storage.sync(str(left), str(right), delete=True)
        assert tree_of(right) == tree_of(left) == source
        alike = files_of(source).items() & files_of(target).items()
        assert done.unchanged == len(alike)
        assert done.copied.files == len(files_of(source)) - len(alike)
        assert done.removed == len(set(files_of(target)) - set(files_of(source)))
        again = storage.sync(str(left), str(right), delete=True)
        assert (again.copied.files, again.removed) == (0, 0)


@given(TREES, TREES)
def test_nothing_is_removed_unless_asked(source, target):
    with tempfile.TemporaryDirectory() as made:
        storage, left = Storage(Path(made)), Path(made, "l")
        make(left, source)
        right = Path(made, "default/files/share")
        right.parent.mkdir(parents=True)
        make(right, target)
        storage.sync(str(left), "azureFile:share")
        found = files_of(tree_of(right))
        assert files_of(target).keys() <= found.keys()
        for path, content in files_of(source).items():
            assert found.get(path, content) == content


@settings(max_examples=5)
@given(st.data())
def test_containers_become_equal(azurite, data):
    pytest.importorskip("azure.storage.blob")
    box = f"azureBlob://vision/box-{uuid.uuid4().hex}"
    with tempfile.TemporaryDirectory() as made:
        (key := Path(made, "key")).write_text(azurite.key)
        vision = AccountSettings("vision", azurite.endpoint(), "", key=SecretRef("file", str(key)))
        storage = Storage(Path(made, "storage"), {"vision": vision})
        for step in ("first", "second"):
            source, back = Path(made, step), Path(made, f"{step}-back")
            make(source, tree := data.draw(TREES))
            storage.sync(str(source), box, delete=True)
            storage.sync(box, str(back), delete=True)
            assert files_of(tree_of(back)) == files_of(tree)
            again = storage.sync(str(source), box, delete=True)
            assert (again.copied.files, again.removed) == (0, 0)
        storage.remove(box, recursive=True)
