"""Classify values: secrets and placeholders (`$X`, `<KEY>`, `changeme`, a path)."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter

from bai.linter.secrets.names import SECRET_NAMES, is_name_of_secret
from bai.linter.secrets.prefilter import LONG, LONG_PART, compiled

_LONGEST = 1024

_PARTS_OF_PLACEHOLDERS = (
    *("change", "dummy", "example", "fixme", "hidden", "insert", "mypass", "none", "null"),
    *("placeholder", "redacted", "replace", "sample", "todo", "your"),
)
_WORDS = frozenset(
    "anonymous ask auto default disabled empty enabled env fake false key mock no no-key"  # noqa: SIM905
    " not-needed off on optional prompt required secret stdin true unused yes".split()
)
"""What stands where no secret is needed, or says how one is asked for."""

_CERTAIN = (
    r"|\$\w+|\$?[<\[{(].*[>\]})]|%\w+%|%s|[xX*.#?_•…-]+"
    r"|(?i:(?:change|replace)[ _-]?(?:me|it|this|now)\d*!*)"
)
"""What can't be anything but a placeholder: nothing, `$NAME`, text in brackets, `***`, `xxxx`."""
_CERTAIN_PHRASE = (
    r"dummy|example|fixme|hidden|none|null|placeholder|redacted|removed|sample|tbd|todo"
    r"|(?:your|(?:enter|insert|put)[ _-])[a-z]*(?:[ _-][a-z]+)*"
)
"""Words and phrases that are no password, in lower case."""
_NAMES_OF_SECRETS = frozenset(ending for _, endings in SECRET_NAMES for ending in endings)

_GUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_PLACE = (
    r"@[\w.~-]*/[\w./-]+|(?:env|file|https?|secret):.*|(?:\.{0,2}|~)/.*|[A-Za-z]:[\\/].*"
    r"|.*\.(?:txt|key|pem|pub|json|ya?ml|crt|cer|env|py|sh|cfg|ini|conf)"
)
"""What says where a secret is."""
_NUMBER = r"[+-]?[\d.,:]+"


def is_placeholder(value: str) -> bool:
    """Return whether a value stands for another: `$X`, `<KEY>`, `xxxx`, `changeme`."""
    if not value or value[0] in "$<{%[*" or "${" in value or "$(" in value or "..." in value:
        return True
    if len(set(value.lower().rstrip("="))) <= (2 if len(value) > 3 else 1):
        return True
    if len(value) >= 60:
        return False
    lowered = value.lower()
    return any(part in lowered for part in _PARTS_OF_PLACEHOLDERS) or is_name_of_secret(lowered)


def is_certain_placeholder(value: str) -> bool:
    """Return whether a value can be nothing but a placeholder, even in place of a password.

    A password may look like anything else: `Exchange2018!`, `mypassword`, `[abc1`.
    """
    if compiled(_CERTAIN).fullmatch(value):
        return True
    bare = value.strip("<>[]{}%").lower()
    return bool(compiled(_CERTAIN_PHRASE).fullmatch(bare)) or (
        is_name_of_secret(bare) and (bare in _NAMES_OF_SECRETS or ("_" in bare and value.isupper()))
    )


def is_given(value: str, *, password: bool = True) -> bool:
    """Return whether a value is a secret, at a place that is only for secrets."""
    stands_for_another = is_certain_placeholder if password else is_placeholder
    return not (
        stands_for_another(value)
        or value.lower() in _WORDS
        or compiled(r"(?:env|file|secret):.*").fullmatch(value)
    )


def is_literal(value: str, *, password: bool, phrase: bool = False) -> bool:
    """Return whether a value is a secret under a name that leaves no doubt; words count.

    A number or a GUID is none unless it is a password, several words unless a `phrase` may be one.
    """
    if len(value) > _LONGEST or value[0] in "@-":
        return False
    if not phrase and any(mark.isspace() for mark in value):
        return False
    if not is_given(value, password=password) or not any(mark.isalnum() for mark in value):
        return False
    if "`" in value or compiled(r"\$[A-Za-z_({]").search(value):
        return False
    if compiled(_PLACE).fullmatch(value) or ("/" in value and _is_name(value)):
        return False
    if password and compiled(rf"{_GUID}|\d{{4,}}").fullmatch(value):
        return True
    return not compiled(f"{_GUID}|{_NUMBER}").fullmatch(value)


def is_irregular(value: str, least: int = 8) -> bool:
    """Return whether a value of at least so many characters is no word, path, id or number."""
    if not least <= len(value) <= _LONGEST or any(mark.isspace() for mark in value):
        return False
    if is_placeholder(value) or compiled(f"{_GUID}|{_NUMBER}|{_PLACE}").fullmatch(value):
        return False
    kinds = (
        any(mark.islower() for mark in value)
        + any(mark.isupper() for mark in value)
        + any(mark.isdigit() for mark in value)
        + any(not mark.isalnum() and mark not in "-_./:" for mark in value)
    )
    # Words that dashes join (`my-secret-name`) are of one kind; `Passw0rd`, `p@ss1` are of more.
    return kinds >= 2 and _entropy(value) >= 2.5 and not _is_name(value)


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


def is_random(value: str) -> bool:
    """Return whether a value is like base64 of random bytes.

    Of those, neighbours differ in kind (lower case, upper case, digit) at 6 of 10 places, in names
    made of words at 2 or 3; and each long run without a slash has to be so, which paths are not.
    """
    core = value.rstrip("=")
    if "/" in core and not all(
        is_random(part) for part in core.split("/") if len(part) > LONG_PART
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


def _entropy(value: str) -> float:
    """Return Shannon's entropy in bits a character."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values())
