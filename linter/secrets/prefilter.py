"""The prefilter of the search for secrets.

Nearly every file has many texts and no secret, so only suspect texts are searched.
"""

from __future__ import annotations

import re
from functools import cache

from bai.linter.cache import cached

NAME_WORDS = ("pass", "pwd", "secret", "token", "key", "credential")
"""One of them is in every name of a secret."""

LONG = 40
"""Below this length, chance alone makes words and ids that look random."""

_SIGNS = {
    "": ("@", "PRIVATE KEY", "eyJ", "AKIA", "ASIA", "AIza", "xox", "hooks.slack.com", "dapi"),
    "=": ("sig=", "==", "AccountKey=", "SharedAccessKey="),
    "gh": ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    "gl": ("glp", "gld", "glr", "glc", "glf"),
    "_": ("github_pat_", "hf_", "wandb_v", "npm_", "dckr_pat_"),
    "-": ("sk-", "pypi-AgE"),
    "~": ("8Q~",),
}
"""One of them is in every secret of a known shape: what some have in common -> these."""

_NAMED_VALUE = rf"(?:{'|'.join(NAME_WORDS)})[\w.-]{{0,63}}+[\"']?(?:\s{{0,3}}[:=]|\s)"
"""A name with what stands before its value: `--password x`, `key=x`, `"token": "x"`."""

_SHORTEST = 6
"""Below this length there is room for no other sign than `@`, and for no name with its value."""

_PASSWORD_OPTIONS = (
    ("curl", r"(?<![\w-])(?:-[\w#]*[uU]|--(?:proxy-)?user)"),
    ("sshpass", r"(?<![\w-])-\w*p"),
    ("login", r"(?<![\w-])-\w*p"),
    ("mysql", r"(?<![\w-])-p"),
    ("mariadb", r"(?<![\w-])-p"),
    ("mongo", r"(?<![\w-])-p"),
    ("redis-cli", r"(?<![\w-])-(?:a|-pass)"),
    ("sqlcmd", r"(?<![\w-])-P"),
    ("zip", r"(?<![\w-])-P"),
    ("7z", r"(?<![\w-])-p"),
)
"""A word in commands that take a password, and how their option for it begins."""

LONG_PART = 15
"""Longer parts of a run with slashes must look random, each by itself."""

_RUN = rf"[\w+/-]{{{LONG},}}"
_DIGITS = frozenset("0123456789")

_OF_RUN = "A-Za-z0-9_+/-"
_LONG_RUNS = (
    # A run is random only if its first part is short, or has small letters.
    *(
        rf"[A-Z0-9_+-]{{{at},{at + 3}}}[a-z][{_OF_RUN}]{{{LONG - 4 - at},}}"
        for at in range(0, LONG, 4)
    ),
    rf"[A-Z0-9_+-]{{{LONG},}}[a-z]",
    *(
        rf"[A-Za-z0-9_+-]{{{at},{at + 2}}}/[{_OF_RUN}]{{{LONG - 3 - at},}}"
        for at in range(1, LONG_PART + 1, 3)
    ),
)
_LONG_RUN = rf"(?:^|[^{_OF_RUN}])(?:{'|'.join(_LONG_RUNS)})"
_NAMED = rf"(?i:{'|'.join(NAME_WORDS)})[A-Za-z0-9_.-]{{0,63}}[\"':=\s\x1c-\x1f]"
"""Python's blanks have four characters more than those of the schema's patterns."""
_ALL_SIGNS = (
    *(re.escape(sign) for signs in _SIGNS.values() for sign in signs),
    *(word for word, _ in _PASSWORD_OPTIONS),
)
_NO_LONG_RUN = [
    {"maxLength": LONG - 1},
    {"pattern": "^https://[^ ]*$"},
    {"not": {"pattern": "[0-9]"}},
    {"not": {"pattern": _LONG_RUN}},
]
NO_SUSPECT = {
    "allOf": [
        {"not": {"pattern": "|".join((r"[^\x00-\x7f]", _NAMED, *_ALL_SIGNS))}},
        {"anyOf": _NO_LONG_RUN},
    ]
}
"""JSON Schema that only texts pass that are not suspect, and nearly all of these.

jsonschema-rs checks it in a small part of the time that `is_suspect` takes.
"""


@cached
def is_suspect(text: str) -> bool:
    """Return whether `secrets.find` may find anything in a text by itself.

    It finds more in a value that has the name of a secret.
    """
    if len(text) < _SHORTEST:
        return "@" in text
    for common, signs in _SIGNS.items():
        if common in text:
            for sign in signs:
                if sign in text:
                    return True
    lowered = text.lower()
    if _has_word(lowered) and compiled(_NAMED_VALUE).search(lowered):
        return True
    return has_password_option(text) or (len(text) >= LONG and _may_be_random(text))


@cached
def has_word(text: str) -> bool:
    """Return whether a word of the names of secrets is in a text."""
    return _has_word(text.lower())


def _has_word(lowered: str) -> bool:
    for word in NAME_WORDS:  # noqa: SIM110 - most texts end here, and `any` takes twice as long
        if word in lowered:
            return True
    return False


def has_password_option(text: str) -> bool:
    """Return whether a text may be a command with an option that is a password by its place."""
    if "-" not in text:
        return False
    return any(word in text and compiled(o).search(text) for word, o in _PASSWORD_OPTIONS)


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled only where it is needed, which most files do not."""
    return re.compile(pattern, flags)


def _may_be_random(text: str) -> bool:
    """Return whether a long run has letters of both cases and digits, and is no whole path."""
    if text.startswith("https://") and " " not in text:
        return False
    # No run is longer than the word that it stands in.
    if max(map(len, text.split()), default=0) < LONG:
        return False
    return any(
        run[0] != "/"
        and _is_mixed(run)
        and all(_is_mixed(part) for part in run.split("/") if len(part) > LONG_PART)
        for run in compiled(_RUN, re.ASCII).findall(text)
    )


def _is_mixed(run: str) -> bool:
    return run not in (run.lower(), run.upper()) and not _DIGITS.isdisjoint(run)
