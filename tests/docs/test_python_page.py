"""The Python on the page runs, in an empty folder, and prints what stands below it."""

import contextlib
import io
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs/python.md").read_text()
CODE = r"^```python\n(?P<code>.*?)^```"
PRINTED = r"^```(?:text|yaml)\n(?P<printed>.*?)^```"
BLOCK = re.compile(rf"{CODE}\n\n{PRINTED}", re.M | re.S)

pytestmark = pytest.mark.slow  # Jobs run.


def test_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BAI_CONTEXT", raising=False)
    monkeypatch.delenv("AZURE_BATCHAI_STORAGE_ACCOUNT", raising=False)
    names = {}
    blocks = list(BLOCK.finditer(PAGE))
    assert len(blocks) == 5
    for block in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(block["code"], names)
        assert printed.getvalue().strip() == block["printed"].strip()
