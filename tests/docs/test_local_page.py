"""The contexts in docs/local.md are valid."""

import re
import tomllib
from pathlib import Path

from bai.runtime.context import CONTEXT_KEYS, select
from bai.runtime.provider.plugin import EMBEDDED
from bai.specs.toml_files import ACCOUNT_KEYS

PAGE = (Path(__file__).parents[2] / "docs/local.md").read_text()


def test_the_contexts_on_the_page_are_valid(tmp_path, monkeypatch):
    monkeypatch.delenv("BAI_CONTEXT", raising=False)
    [text] = re.findall(r"^```toml\n(.*?)^```", PAGE, re.M | re.S)
    (tmp_path / "bai.toml").write_text(text)
    context = select(None, tmp_path)
    context.check()
    table = tomllib.loads(text)["contexts"][context.name]
    assert set(table) == set(CONTEXT_KEYS)
    assert set(table["provider"]) == {"name", *EMBEDDED.keys}
    assert {key for each in table["accounts"].values() for key in each} == set(ACCOUNT_KEYS)
    assert set(table["engine"]) <= {"name", *context.engine.shown()}
