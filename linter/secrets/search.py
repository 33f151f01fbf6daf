"""Search for secrets: by known formats, then by names of secrets, then by entropy.

Results hold the place and the kind of a secret, never its value.

detect-secrets, the usual library for this, works on files and lines, takes longer to import than a
whole lint may take, and gives no offsets; hence a table of shapes here. Every pattern is linear in
the text: a repeat is bounded, possessive, or begins where a fixed word stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bai.linter.secrets.names import secret_kind
from bai.linter.secrets.options import passwords
from bai.linter.secrets.prefilter import LONG, NAME_WORDS, compiled
from bai.linter.secrets.values import is_given, is_irregular, is_literal, is_placeholder, is_random


class Secret(NamedTuple):
    """One secret: the half-open range of characters that it covers, and what it is."""

    start: int
    end: int
    what: str
    """With its article: "a GitHub token"."""
    sure: bool = True
    """Whether it has a known shape; if not, a name or chance speak for it."""


def find(text: str, name: str = "") -> list[Secret]:
    """Return the secrets in `text`, in order, without overlaps.

    `name` is that of the environment variable, key or option with this value, if any. It decides
    about values that are secret only by their name.
    """
    candidates = list(_candidates(text, name))
    if len(candidates) < 2:
        return candidates
    found: list[Secret] = []
    # The sort is stable, so at one place a known shape comes before a name or entropy.
    for one in sorted(candidates, key=lambda secret: secret.start):
        if found and one.start < found[-1].end:
            continue
        found.append(one)
    return found


def in_place(text: str) -> Secret | None:
    """Return the secret that a text is where nothing else can stand; None for a placeholder."""
    return Secret(0, len(text), "a secret", sure=False) if is_given(text) else None


def _candidates(text: str, name: str) -> Iterator[Secret]:
    claimed: list[Secret] = []
    for needle, what, pattern in _SHAPES:
        if needle in text:
            claimed += _of_shape(text, pattern, what)
    if "sig=" in text and compiled(r"[?&\"'\s;](?:se|sv|st)=|^(?:se|sv|st)=").search(text):
        claimed += _of_shape(text, _SIGNATURE, "a shared access signature (SAS)")
    if text and (kind := secret_kind(name, variable=True)):
        is_password = kind.what == "password"
        if (kind.sure and is_literal(text, password=is_password)) or is_irregular(text):
            claimed.append(Secret(0, len(text), f"a {kind.what}", sure=False))
    claimed += (Secret(*place, "a password", sure=False) for place in passwords(text))
    lowered = text.lower()
    if any(word in lowered for word in NAME_WORDS):
        claimed += _named(text)
    if len(text) >= LONG and not claimed:
        claimed += _random(text)
    yield from claimed


def _of_shape(text: str, pattern: str, what: str) -> Iterator[Secret]:
    for match in compiled(pattern).finditer(text):
        if not is_placeholder(match[1]):
            yield Secret(*match.span(1), what)


_SIGNATURE = r"(?<![\w-])sig=([\w%+/=.~-]{20,})"
# (a word in the text, as a prefilter; the kind of secret; a pattern whose group is the secret)
_SHAPES: tuple[tuple[str, str, str], ...] = (
    (
        "==",
        "an Azure storage account key",
        r"(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{86}==)(?![A-Za-z0-9+/=])",
    ),
    ("AccountKey=", "an account key", r"AccountKey=([^\s;\"'<>$&]{16,})"),
    ("SharedAccessKey=", "a shared access key", r"SharedAccessKey=([^\s;\"'<>$&]{16,})"),
    ("PRIVATE KEY", "a private key", r"(-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)"),
    ("eyJ", "a JSON web token", r"(?<![\w-])(eyJ[\w-]{10,}+\.eyJ[\w-]{10,}+\.[\w-]{16,})"),
    ("AKIA", "an AWS access key id", r"(?<![A-Za-z0-9])(AKIA[0-9A-Z]{16})(?![A-Za-z0-9])"),
    ("ASIA", "an AWS access key id", r"(?<![A-Za-z0-9])(ASIA[0-9A-Z]{16})(?![A-Za-z0-9])"),
    ("gh", "a GitHub token", r"(?<![A-Za-z0-9])(gh[pousr]_[A-Za-z0-9]{36,255})(?![A-Za-z0-9])"),
    ("github_pat_", "a GitHub token", r"(github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})"),
    ("gl", "a GitLab token", r"(?<![A-Za-z0-9])(gl(?:pat|ptt|dt|rt|cbt|ft)-[\w-]{20,})"),
    ("xox", "a Slack token", r"(?<![A-Za-z0-9])(xox[abeoprs]-[A-Za-z0-9-]{10,})"),
    (
        "hooks.slack.com",
        "a Slack webhook",
        r"hooks\.slack\.com/services/(T\w{6,}+/B\w{6,}+/\w{20,})",
    ),
    ("hf_", "a Hugging Face token", r"(?<![A-Za-z0-9_])(hf_[A-Za-z0-9]{30,})(?![A-Za-z0-9_])"),
    ("wandb_v", "a Weights & Biases key", r"(?<![A-Za-z0-9_])(wandb_v\d_[A-Za-z0-9_]{30,})"),
    ("AIza", "a Google API key", r"(?<![\w-])(AIza[\w-]{35})(?![\w-])"),
    ("sk-", "an API key", r"(?<![\w-])(sk-(?:proj-|ant-[a-z0-9]{1,9}-)?[A-Za-z0-9_]{20,}[\w-]*)"),
    ("npm_", "an npm token", r"(?<![A-Za-z0-9_])(npm_[A-Za-z0-9]{36})(?![A-Za-z0-9_])"),
    ("pypi-AgE", "a PyPI token", r"(pypi-AgE[\w-]{50,})"),
    ("dckr_pat_", "a Docker Hub token", r"(dckr_pat_[\w-]{20,})"),
    ("dapi", "a Databricks token", r"(?<![\w-])(dapi[0-9a-f]{32})(?![\w])"),
    ("8Q~", "an Azure client secret", r"(?<![\w~.-])([\w~.-]{3}8Q~[\w~.-]{31,34})(?![\w~.-])"),
    ("://", "a password in a URL", r"://[^\s/@:\"'?#]{0,256}+:([^\s/@\"'?#]{1,1024})@"),
)

_NAMED = (
    r"(?<![A-Za-z0-9_.$-])(?P<dashes>-{0,2})(?P<name>[A-Za-z][A-Za-z0-9_.-]{0,63})"
    r"(?P<between>[\"']?\s{0,3}[:=]\s{0,3}|\s{1,3})"
    r"(?:\\?(?:\"(?P<double>[^\"\\\n]{1,512}+)|'(?P<single>[^'\\\n]{1,512}+))"
    r"|(?P<value>[^\s\"'`;,|&()<>]{1,512}+))"
)


def _named(text: str) -> Iterator[Secret]:
    """Find `--password VALUE`, `password=VALUE`, `"password": "VALUE"`."""
    position = 0
    pattern = compiled(_NAMED)
    while match := pattern.search(text, position):
        kind = secret_kind(match["name"], variable=match["name"].isupper())
        by_space = match["between"].isspace()
        if kind is None or (by_space and not match["dashes"]):
            position = match.end("name")
            continue
        start, end = match.span(match.lastgroup or "value")
        # A value that is no secret may itself be the name of one: `--password --api-key x`.
        position = start
        found = False
        if kind.sure and _is_passed(match):
            if match.lastgroup == "value":
                end = _rest_of_word(text, end)
            is_password = kind.what == "password"
            found = is_literal(text[start:end], password=is_password, phrase=is_password)
        if found or is_irregular(text[start:end], 6 if kind.sure else 8):
            position = end
            yield Secret(start, end, f"a {kind.what}", sure=False)


def _is_passed(match: re.Match[str]) -> bool:
    """Return whether a match is an option or an assignment of a shell, and not some other text."""
    between = match["between"]
    if match["dashes"]:
        return "\n" not in between and not between.endswith("= ")
    return between == "=" and match["name"].isupper()


def _rest_of_word(text: str, end: int) -> int:
    match = compiled(r"[^\s\"'`;|&()<>]*").match(text, end)
    return match.end() if match else end


_PUBLIC = ("AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "sha256-", "sha384-", "sha512-")
"""How public SSH keys and integrity hashes begin."""
_RUN = r"(?<![\w+/=-])[A-Za-z0-9+/_-]{40,512}+={0,2}(?![\w+/=-])"


def _random(text: str) -> Iterator[Secret]:
    """Find long runs of random letters and digits outside of URLs, paths and public keys."""
    for match in compiled(_RUN).finditer(text):
        value = match[0]
        before = text[max(0, match.start() - 256) : match.start()]
        word = before.rsplit(None, 1)[-1] if before and not before[-1].isspace() else ""
        if "://" in word or word.endswith(("/", ":")):
            continue
        if value.startswith(("/", *_PUBLIC)) or "BEGIN" in text or is_placeholder(value):
            continue
        if is_random(value):
            yield Secret(*match.span(), "a long random value", sure=False)
