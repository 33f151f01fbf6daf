"""Plain data as YAML that readers of YAML 1.1 and of YAML 1.2 read alike."""

from __future__ import annotations

import io
import re
from functools import cache
from typing import Any, Final

from bai.specs.source.plain_scalar import Plain

_WORDS: Final = frozenset(("y", "n"))
"""Booleans of YAML 1.1 that PyYAML does not take for ones, in lower case."""
_NUMBER: Final = re.compile(r"[-+]?[0-9][0-9_.:]*([eE][-+]?[0-9]+)?|0[oxb][0-9a-fA-F_]+")
"""What looks like a number to some reader: `0o17`, `1e3`, `12:30`, `08`."""
_SPECIAL: Final = {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}
_NEEDS_ESCAPES: Final = re.compile(
    r"[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010fffe]|[\u2028\u2029\ufeff]"
)
_HIDDEN: Final = re.compile(r"^[ \n]|[ ]\n|\n[ ]|[ ]$")
"""White space that a literal block (`|`) would not show."""


def yaml_text(data: Any) -> str:
    """Return a mapping or a list of plain data as block-style YAML.

    A string such as `no`, `0777` or `1e3` stands in quotes: it is the same string for readers of
    YAML 1.1, PyYAML for one, and of YAML 1.2. Lines are as long as their strings, unless
    `fold_long_texts` has folded those.
    """
    yaml = _writer()
    stream = io.StringIO()
    yaml.dump(data, stream)
    return stream.getvalue().removesuffix("...\n")


@cache
def _writer() -> Any:
    # Imported here because few commands write YAML.
    from ruamel.yaml import YAML
    from ruamel.yaml.representer import RoundTripRepresenter
    from ruamel.yaml.scalarstring import FoldedScalarString

    class Representer(RoundTripRepresenter):
        """Writes strings in quotes wherever a reader might take them for something else."""

        def ignore_aliases(self, data: Any) -> bool:
            """Write repeated values in full, which reads better; only long texts become aliases."""
            return not isinstance(data, FoldedScalarString)

    Representer.add_representer(str, _represent_text)
    Representer.add_representer(float, _represent_number)
    Representer.add_representer(Plain, _represent_plain)
    yaml = YAML(pure=True)
    yaml.Representer = Representer
    yaml.default_flow_style = False
    yaml.width = 1 << 30
    return yaml


def _represent_text(representer: Any, text: str) -> Any:
    style = None
    if _NEEDS_ESCAPES.search(text):
        style = '"'
    elif "\n" in text:
        style = '"' if _HIDDEN.search(text) else "|"
    elif _is_ambiguous(text):
        style = "'"
    return representer.represent_scalar("tag:yaml.org,2002:str", text, style)


def _represent_number(representer: Any, number: float) -> Any:
    text = repr(number)
    # YAML 1.1 takes `1e-05` for text.
    if "e" in text and "." not in text:
        text = text.replace("e", ".0e")
    return representer.represent_scalar("tag:yaml.org,2002:float", _SPECIAL.get(text, text))


def _represent_plain(representer: Any, scalar: Plain) -> Any:
    """Return a number or a boolean in its own spelling."""
    tag = {bool: "bool", int: "int", float: "float"}.get(type(scalar.value))
    if tag is None:
        return _represent_text(representer, str(scalar))
    return representer.represent_scalar(f"tag:yaml.org,2002:{tag}", str(scalar))


def _is_ambiguous(text: str) -> bool:
    """Return whether some reader takes the plain scalar for anything but a string."""
    import yaml

    read = Plain(text).value
    if not isinstance(read, str) or text.lower() in _WORDS or _NUMBER.fullmatch(text):
        return True
    resolver: Any = yaml.SafeLoader("")
    tag = resolver.resolve(yaml.ScalarNode, text, (True, False))
    return bool(tag != "tag:yaml.org,2002:str")
