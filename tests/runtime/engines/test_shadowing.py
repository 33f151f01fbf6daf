"""Files of the user that have the name of a module that bai needs."""

import pytest

NAMES = ["json", "sqlite3", "selectors", "subprocess", "socket", "bai"]


def shadow(folder, name, text=""):
    """Make a module with this name and text in a folder, as a package."""
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text(text)


@pytest.mark.parametrize("name", NAMES)
def test_a_module_beside_the_spec_does_not_replace_bai_s_own(bai, name):
    shadow(bai.folder, name)
    bai.run("apply", bai.write(bai.custom("plain", "echo ran")))
    assert "ran" in bai.run("logs", "plain").stdout


def test_a_module_beside_the_spec_is_not_executed(bai):
    (bai.folder / "uuid.py").write_text("open('executed', 'w')\n")
    (bai.folder / "sitecustomize.py").write_text("open('executed', 'w')\n")
    bai.run("apply", bai.write(bai.custom("plain", "true")))
    assert not (bai.folder / "executed").exists()


def test_a_library_of_the_user_does_not_replace_the_standard_library(bai):
    """Ranks import what PYTHONPATH says; the supervisor its own modules."""
    shadow(bai.folder / "lib", "socket", "print('the own one')\n")
    path = {"PYTHONPATH": str(bai.folder / "lib")}
    bai.run("apply", bai.write(bai.custom("own", "python -c 'import socket'")), env=path)
    assert "the own one" in bai.run("logs", "own").stdout
