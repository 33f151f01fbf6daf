"""Secrets in plain sight: known shapes first, then values under telling names, then entropy.

The answers say where a secret stands and what it is, never its value.

detect-secrets, the usual library for this, works on files and lines, takes longer to import than a
whole lint may take, and gives no offsets; hence a table of shapes here. Every pattern is linear in
the text: a repeat is bounded, possessive, or begins where a fixed word stands.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from bai.compiler.analysis.secret_signs import LONG, LONG_PART, NAME_WORDS


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

    `name` is what the text is called, if it is the value of something: an environment variable, a
    key, an option. It decides about values that are secret only by their name.
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


def _candidates(text: str, name: str) -> Iterator[Secret]:
    claimed: list[Secret] = []
    for needle, what, pattern in _SHAPES:
        if needle in text:
            for match in _compiled(pattern).finditer(text):
                start, end = match.span(1)
                if not _is_placeholder(text[start:end]):
                    claimed.append(Secret(start, end, what))
    if "sig=" in text and _compiled(r"[?&\"'\s;](?:se|sv|st)=|^(?:se|sv|st)=").search(text):
        claimed += _each(
            text, r"(?<![\w-])sig=([\w%+/=.~-]{20,})", "a shared access signature (SAS)"
        )
    if name and _tells(name) and _looks_secret(text, named=True):
        claimed.append(Secret(0, len(text), f"a {_tells(name)}", sure=False))
    lowered = text.lower()
    if any(word in lowered for word in NAME_WORDS):
        claimed += _named(text)
    if len(text) >= LONG and not claimed:
        claimed += _random(text)
    yield from claimed


def _each(text: str, pattern: str, what: str) -> Iterator[Secret]:
    for match in _compiled(pattern).finditer(text):
        if not _is_placeholder(match[1]):
            yield Secret(*match.span(1), what)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


# A word that is in the text (a fast look), what it is, and a pattern whose group is the secret.
_SHAPES: tuple[tuple[str, str, str], ...] = (
    (
        "==",
        "an Azure storage account key",
        r"(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{86}==)(?![A-Za-z0-9+/=])",
    ),
    ("AccountKey=", "an account key", r"AccountKey=([^\s;\"'<>$&]{16,})"),
    ("SharedAccessKey=", "a shared access key", r"SharedAccessKey=([^\s;\"'<>$&]{16,})"),
    ("PRIVATE KEY", "a private key", r"(-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)"),
    (
        "eyJ",
        "a JSON web token",
        r"(?<![\w-])(eyJ[\w-]{10,}+\.eyJ[\w-]{10,}+\.[\w-]{16,})",
    ),
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

_TELLING: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("password", ("password", "passwd", "passphrase", "pwd", "pass")),
    ("token", ("token",)),
    (
        "key",
        (
            "apikey",
            "accesskey",
            "accountkey",
            "storagekey",
            "privatekey",
            "secretkey",
            "sharedkey",
            "authkey",
            "primarykey",
            "masterkey",
            "encryptionkey",
            "instrumentationkey",
            "subscriptionkey",
            "signingkey",
        ),
    ),
    ("secret", ("secret", "credential", "credentials", "secretaccesskey")),
)
"""What a value is, by how its name ends (without `-`, `_` and case)."""

_NAMED = (
    r"(?<![A-Za-z0-9_.$-])(?P<dashes>-{0,2})(?P<name>[A-Za-z][A-Za-z0-9_.-]{0,63})"
    r"(?P<between>[\"']?\s{0,3}[:=]\s{0,3}|\s{1,3})"
    r"(?P<quote>[\"']?)(?P<value>[^\s\"'`;,|&()<>]{6,512}+)"
)


def _tells(name: str) -> str | None:
    """Return what `name` says its value is, or None."""
    folded = name.rsplit(".", 1)[-1].replace("_", "").replace("-", "").lower()
    for what, endings in _TELLING:
        if folded.endswith(endings):
            if folded.endswith("pass") and not re.search(r"(?:^|[_-])pass$|user|db", name.lower()):
                return None  # compass, bypass, onePass
            return what
    return None


def _named(text: str) -> Iterator[Secret]:
    """Find `--password VALUE`, `password=VALUE`, `"password": "VALUE"`."""
    position = 0
    pattern = _compiled(_NAMED)
    while match := pattern.search(text, position):
        what = _tells(match["name"])
        by_space = match["between"].isspace()
        if what is None or (by_space and not match["dashes"]):
            position = match.end("name")
            continue
        position = match.end()
        if _looks_secret(match["value"], named=True):
            yield Secret(*match.span("value"), f"a {what}", sure=False)


_PLACEHOLDERS = (
    "change",
    "dummy",
    "example",
    "fixme",
    "hidden",
    "insert",
    "mypass",
    "none",
    "null",
    "password",
    "placeholder",
    "redacted",
    "replace",
    "sample",
    "todo",
    "your",
)


def _is_placeholder(value: str) -> bool:
    """Return whether a value stands for another: `$X`, `<KEY>`, `xxxx`, `changeme`."""
    if not value or value[0] in "$<{%[*" or "${" in value or "$(" in value or "..." in value:
        return True
    if len(set(value.lower().rstrip("="))) <= 2:
        return True
    lowered = value[:256].lower()
    return len(value) < 60 and any(word in lowered for word in _PLACEHOLDERS)


_GUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_HARMLESS = (
    rf"{_GUID}|[+-]?[\d.,:]+|(?:env|file|https?|secret):.*|(?:\.{{0,2}}|~)/.*|[A-Za-z]:[\\/].*"
    r"|.*\.(?:txt|key|pem|pub|json|ya?ml|crt|cer|env|py|sh|cfg|ini|conf)"
)
"""What is no secret even under a telling name: a GUID, a number, a place."""


def _looks_secret(value: str, *, named: bool) -> bool:
    """Return whether a value is too irregular for a word, a path, an id or a number."""
    if not 6 <= len(value) <= 1024 or any(mark.isspace() for mark in value):
        return False
    if _is_placeholder(value) or _compiled(_HARMLESS).fullmatch(value):
        return False
    if not named:
        return _is_random(value)
    kinds = (
        any(mark.islower() for mark in value)
        + any(mark.isupper() for mark in value)
        + any(mark.isdigit() for mark in value)
        + any(not mark.isalnum() and mark not in "-_./:" for mark in value)
    )
    # Words that dashes join (`my-secret-name`) are of one kind; `Passw0rd`, `p@ss1` are of more.
    return kinds >= 2 and len(value) >= 8 and _entropy(value) >= 2.5 and not _is_name(value)


def _is_name(value: str) -> bool:
    """Return whether a value reads like a name: `resnet-50`, `MyVaultSecret`, `bert-base-v2`."""
    words = re.findall(r"[A-Za-z]+|\d+|[^A-Za-z\d]+", value)
    letters = [word for word in words if word.isalpha()]
    joints = [word for word in words if not word.isalnum()]
    if any(joint not in {"-", "_", ".", "/", ":"} for joint in joints):
        return False
    if any(not re.fullmatch(r"[A-Z]?[a-z]+(?:[A-Z][a-z]+){0,4}|[A-Z]+", word) for word in letters):
        return False
    if not any(word.isdigit() for word in words):
        return True
    mixes = sum(one.isalnum() and other.isalnum() for one, other in itertools.pairwise(words))
    return bool(joints) and mixes <= len(joints) + 1


def _entropy(value: str) -> float:
    """Return Shannon's entropy in bits a character."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values())


_PUBLIC = ("AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "sha256-", "sha384-", "sha512-")
"""How public SSH keys and integrity hashes begin."""


def _random(text: str) -> Iterator[Secret]:
    """Find long runs of random letters and digits outside of URLs, paths and public keys."""
    for match in _compiled(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{40,512}+={0,2}(?![\w+/=-])").finditer(
        text
    ):
        value = match[0]
        before = text[max(0, match.start() - 256) : match.start()]
        word = before.rsplit(None, 1)[-1] if before and not before[-1].isspace() else ""
        if "://" in word or word.endswith(("/", ":")):
            continue
        if value.startswith(("/", *_PUBLIC)) or "BEGIN" in text or _is_placeholder(value):
            continue
        if _is_random(value):
            yield Secret(*match.span(), "a long random value", sure=False)


def _is_random(value: str) -> bool:
    """Return whether a value is like base64 of random bytes.

    Of those, neighbours differ in kind (lower case, upper case, digit) at 6 of 10 places, in names
    made of words at 2 or 3; and each long run without a slash has to be so, which paths are not.
    """
    core = value.rstrip("=")
    if "/" in core and not all(
        _is_random(part) for part in core.split("/") if len(part) > LONG_PART
    ):
        return False
    kinds = [
        "l" if mark.islower() else "u" if mark.isupper() else "d" if mark.isdigit() else "o"
        for mark in core
    ]
    if not {"l", "u", "d"} <= set(kinds):
        return False
    changes = sum(one != other for one, other in itertools.pairwise(kinds))
    least = 4.0 if len(core) >= LONG else 3.2
    return changes >= 0.4 * (len(core) - 1) and _entropy(core) >= least
