"""Compiling and its checks touch nothing outside: no file, no folder, no process, no network."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
PROGRAM = """
import json
import sys
from pathlib import Path

from compiling import compile_specs

import bai.schemas
from bai.compiler.compilation import Defaults
from bai.linter.rules.registry import all_rules
from loading import load_text

TOUCHING = ("_thread", "ctypes", "fcntl", "glob", "mmap", "open", "os", "pty", "shutil", "signal")
TOUCHING += ("socket", "sqlite3", "subprocess", "syslog", "tempfile", "urllib")
OWN_DATA = tuple(bai.schemas.__path__)

cases = {}
for path in sorted(Path("compiler/golden").glob("*/spec.yaml")):
    defaults = path.with_name("defaults.json")
    values = json.loads(defaults.read_text()) if defaults.exists() else {}
    cases[path.parent.name] = path.read_text(), Defaults(**values)
case = None


def importing():
    frame = sys._getframe()
    while frame and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


def hook(event, arguments):
    if case is None or event.split(".")[0] not in TOUCHING or importing():
        return
    if event == "open" and str(arguments[0]).startswith(OWN_DATA) and arguments[1] == "r":
        return
    print(case, event, *arguments)


all_rules()  # finding them lists the folders of the rules
sys.addaudithook(hook)
for case, (text, defaults) in cases.items():
    loaded = load_text(text, "spec.yaml", "/project")
    list(compile_specs(loaded.specs, defaults))
case = None
print(len(cases), "cases")
"""


def test_nothing_is_opened_listed_or_started():
    # Modules and the package's own schemas are read on first use. pydantic would look for plugins.
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=TESTS,
        env=os.environ | {"PYTHONPATH": str(TESTS), "PYDANTIC_DISABLE_PLUGINS": "__all__"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    cases = len(list((TESTS / "compiler/golden").glob("*/spec.yaml")))
    assert done.stdout == f"{cases} cases\n"
