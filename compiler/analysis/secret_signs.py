"""A fast look for texts that may hold a secret, before `secrets` looks closely at a few.

Nearly every file has none, and has many texts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate

NAME_WORDS = ("pass", "pwd", "secret", "token", "key", "credential")
"""One of them is in every name that tells of a secret."""

LONG = 40
"""Below this length, chance alone makes words and ids that look random."""

_SIGNS = (
    *("sig=", "==", "AccountKey=", "SharedAccessKey=", "PRIVATE KEY", "eyJ", "AKIA", "ASIA"),
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glp", "gld", "glr", "glc", "glf"),
    *("xox", "hooks.slack.com", "hf_", "wandb_v", "AIza", "sk-", "npm_", "pypi-AgE"),
    *("dckr_pat_", "dapi", "8Q~", "@"),
)
"""One of them is in every secret of a known shape."""

_DIGITS = frozenset("0123456789")


def suspects(texts: Sequence[str]) -> list[int]:
    """Return the indexes of the texts in which `secrets.find` may find anything by itself.

    It finds more in a value whose name tells of a secret.
    """
    together = "\0".join(texts)
    lowered = together.lower()
    if len(lowered) != len(together):
        return [*range(len(texts))]
    places = [at for sign in _SIGNS if sign in together for at in _all(sign, together)]
    for word in NAME_WORDS:
        if word in lowered:
            places += (at for at in _all(word, lowered) if _value().match(lowered, at + len(word)))
    chosen = {n for n, text in enumerate(texts) if len(text) >= LONG and _may_be_random(text)}
    if places:
        ends = list(accumulate(len(text) + 1 for text in texts))
        chosen.update(bisect_right(ends, at) for at in places)
    return sorted(chosen)


def has_word(text: str) -> bool:
    """Return whether a word that tells of a secret is in a text."""
    lowered = text.lower()
    return any(word in lowered for word in NAME_WORDS)


def _all(part: str, text: str) -> Iterator[int]:
    """Iterate over the places of a part."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


@cache
def _value() -> re.Pattern[str]:
    """Return what stands between a name and its value: `--password x`, `key=x`, `"token": "x"`."""
    return re.compile(r"[\w.-]{0,63}+[\"']?(?:\s{0,3}[:=]|\s)")


@cache
def _run() -> re.Pattern[str]:
    return re.compile(rf"[\w+/-]{{{LONG},}}", re.ASCII)


def _may_be_random(text: str) -> bool:
    """Return whether a long run has letters of both cases and digits, and is no whole path."""
    if text.startswith("https://") and " " not in text:
        return False
    runs = _run().findall(text)
    return any(run[0] != "/" and run != run.lower() and set(run) & _DIGITS for run in runs)
