"""`bai storage` with several names at once, and with wildcards."""

import subprocess

import pytest

FILES = ".bai/storage/default/files"


@pytest.fixture
def storage(bai):
    """Files in two folders of a share, and as many on this machine; runs `bai storage`."""
    for folder in (bai.folder / FILES / "in", bai.folder / "data"):
        for name in ("a.bin", "b.bin", "c.txt", "one/x.bin", "two/x.bin", "two/deep/y"):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)

    def run(*words, code=0):
        return bai.run("storage", *words, code=code, stdin=subprocess.DEVNULL)

    return run


def below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_several_sources_are_copied_into_a_folder(bai, storage):
    out = bai.folder / FILES / "out"
    done = storage("cp", "data/a.bin", "azureFile:in/c.txt", "azureFile:out/new").stdout
    assert done == "created azureFile:out\ncopied 2 files\n"
    assert below(out) == {"new/a.bin", "new/c.txt"}
    storage("cp", "-r", "data/*.bin", "azureFile:in/t*", "azureFile:in/c.txt", "azureFile:out/")
    more = {"a.bin", "b.bin", "two/x.bin", "two/deep/y", "c.txt"}
    assert below(out) == {"new/a.bin", "new/c.txt"} | more
    storage("cp", "data/?.bin", "data/c.*", "here")
    assert below(bai.folder / "here") == {"a.bin", "b.bin", "c.txt"}


def test_what_several_sources_can_t_be_is_said_before_anything_is_copied(bai, storage):
    for words, message in {
        ("data/a.bin", "nowhere", "out"): "there is nothing at nowhere",
        ("data/a.bin", "data/*.exe", "out"): "nothing fits data/*.exe",
        ("data/a.bin", "data/one", "out"): "data/one is a folder: -r copies all of it",
        ("data/a.bin", "data/b.bin", "data/c.txt"): (
            "data/c.txt is a file: several are copied into a folder"
        ),
        ("azureFile:in/*/x.bin", "out"): (
            "azureFile:in/one/x.bin and azureFile:in/two/x.bin have the same name: copy them one "
            "by one"
        ),
        ("-r", "data", "azureFile:in", "azureFile:in/two"): (
            "azureFile:in/two is in azureFile:in itself, which would be copied"
        ),
        ("data/a.bin", "data/b.bin", "azureFile:"): (
            "azureFile: names no share: files are in shares and containers"
        ),
    }.items():
        assert storage("cp", *words, code=2).stderr == f"error: {message}\n"
    for name, what in (("-", "standard input or output"), ("job:x/OUT", "the output of a job")):
        said = storage("cp", name, "data/a.bin", "out", code=2).stderr
        assert f"'{name}' is one of several: {what} is copied alone" in said
    assert not (bai.folder / "out").exists()
    assert "in/two/in" not in below(bai.folder / FILES)


def test_a_listing_of_what_fits_has_paths_from_the_last_folder_that_is_named(storage):
    def names(*words):
        return [line.split()[-1] for line in storage("ls", *words).stdout.splitlines()[1:]]

    assert names("azureFile:in/*.bin") == ["a.bin", "b.bin"]
    assert names("azureFile:in/*/x.bin") == ["one/x.bin", "two/x.bin"]
    assert names("azureFile:i?/two") == ["in/two/"]
    assert names("azureFile:in/t[vw]o", "-r") == ["two/", "two/deep/", "two/deep/y", "two/x.bin"]
    nothing = storage("ls", "azureFile:in/*.exe", code=2).stderr
    assert nothing == "error: nothing fits azureFile:in/*.exe\n"


def test_what_fits_is_removed_all_of_it_or_nothing(bai, storage):
    share = bai.folder / FILES / "in"
    folder = storage("rm", "azureFile:in/*", code=2).stderr
    assert folder == "error: azureFile:in/one is a folder: -r removes all of it\n"
    misspelt = storage("rm", "azureFile:in/a.bin", "azureFile:in/*.exe", code=2).stderr
    assert misspelt == "error: nothing fits azureFile:in/*.exe\n"
    assert below(share) == below(bai.folder / "data")
    done = storage("rm", "azureFile:in/*.bin", "azureFile:in/a.bin", "azureFile:in/two/x.bin")
    assert done.stdout.splitlines() == [
        f"removed azureFile:in/{name}" for name in ("a.bin", "b.bin", "two/x.bin")
    ]
    assert below(share) == {"c.txt", "one/x.bin", "two/deep/y"}
    assert storage("rm", "-r", "azureFile:in/*o*").stdout.count("removed ") == 2
    assert below(share) == {"c.txt"}
    whole = storage("rm", "-r", "azureFile:i*", code=2).stderr
    assert whole == "error: azureFile:in is a whole share: add --yes to remove all of it\n"
    storage("rm", "-r", "azureFile:i*", "--yes")
    assert not share.exists()
