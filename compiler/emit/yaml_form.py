"""Plain data as YAML that readers of YAML 1.1 and of YAML 1.2 read alike."""

from __future__ import annotations

import re
from typing import Any, Final

import yaml

from bai.specs.plain import Plain

_WORDS: Final = frozenset(("y", "n"))
"""Booleans of YAML 1.1 that PyYAML itself does not take for ones, in lower case."""
_NUMBER: Final = re.compile(r"[-+]?[0-9][0-9_.:]*([eE][-+]?[0-9]+)?|0[oxb][0-9a-fA-F_]+")
"""What looks like a number to some reader: `0o17`, `1e3`, `12:30`, `08`."""
_NEEDS_ESCAPES: Final = re.compile(
    r"[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010fffe]|[\u2028\u2029\ufeff]"
)
_HIDDEN: Final = re.compile(r"^[ \n]|[ ]\n|\n[ ]|[ ]$")
"""White space that a literal block (`|`) would not show."""


class _Dumper(yaml.SafeDumper):
    """Writes strings in quotes wherever a reader might take them for something else."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        """Write what occurs twice twice: people read this."""
        return True


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = None
    if _NEEDS_ESCAPES.search(text):
        style = '"'
    elif "\n" in text:
        style = '"' if _HIDDEN.search(text) else "|"
    elif _is_ambiguous(text):
        style = "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


def _is_ambiguous(text: str) -> bool:
    # PyYAML sees by itself what is not a string in YAML 1.1.
    read = Plain(text).value
    return not isinstance(read, str) or text.lower() in _WORDS or bool(_NUMBER.fullmatch(text))


_Dumper.add_representer(str, _represent_text)


def yaml_text(data: Any) -> str:
    """Return plain data as block-style YAML, without line folding.

    A string such as `no`, `0777` or `1e3` stands in quotes: it is the same string for readers of
    YAML 1.1, PyYAML for one, and of YAML 1.2.
    """
    text: str = yaml.dump(
        data,
        Dumper=_Dumper,
        default_flow_style=False,
        sort_keys=False,
        allow_unicode=True,
        width=float("inf"),
    )
    return text.removesuffix("...\n")
