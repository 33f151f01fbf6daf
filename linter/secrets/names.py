"""Names of secrets: `DB_PASSWORD`, `--api-key`, `accountKey`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from bai.linter.secrets.prefilter import compiled

_KEYS = tuple(
    "apikey accesskey accountkey storagekey privatekey secretkey sharedkey authkey primarykey "  # noqa: SIM905
    "masterkey encryptionkey instrumentationkey subscriptionkey signingkey".split()
)
SECRET_NAMES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("password", ("password", "passwd", "passphrase", "pwd", "pass")),
    ("token", ("token",)),
    ("key", _KEYS),
    ("secret", ("secret", "credential", "credentials", "secretaccesskey")),
)
"""Kind of secret -> how names of such secrets end (without `-`, `_` and case)."""

_SURE = (
    r"pass(?:word|wd|phrase)|(?:admin|db|login|mail|root|smtp|sql|user)(?:pass|pwd)"
    r"|(?:access|account|api|auth|secret|secretaccess)key|(?:api|app|client|jwt|oauth)secret"
    r"|(?:access|api|auth|bearer|bot|gh|github|gitlab|hf|npm|refresh|sas|slack|wandb)token"
)
"""Endings of names whose value is a secret whatever it looks like.

Not `token` itself: programs that learn from texts have `--pad-token`, `EOS_TOKEN` and the like.
"""
_ACTION = (
    r"(?:ask|change|check|forget|generate|has|is|need|no|random|require|reset|save|show|skip|store"
    r"|use|with|without)(?=[A-Z_-])"
)
"""Beginnings of names of actions with a secret: `USE_PASSWORD`, `--reset-password`."""


class SecretKind(NamedTuple):
    """The kind of secret that a name stands for."""

    what: str
    """In a word: `password`, `token`, `key` or `secret`."""
    sure: bool
    """Whether the value is a secret even if it is a plain word."""


@lru_cache(maxsize=256)
def secret_kind(name: str, *, variable: bool = False) -> SecretKind | None:
    """Return the kind of secret that a name stands for, or None.

    `variable` is whether it names an environment variable, where `TOKEN` alone is a secret.
    """
    last = name.rsplit(".", 1)[-1]
    folded = last.replace("_", "").replace("-", "").lower()
    for what, endings in SECRET_NAMES:
        if folded.endswith(endings):
            if folded.endswith("pass") and not re.search(r"(?:^|[_-])pass$|user|db", name.lower()):
                return None  # compass, bypass, onePass
            sure = bool(compiled(rf"(?:{_SURE})$").search(folded)) or (
                variable and folded == "token"
            )
            return SecretKind(what, sure and not compiled(_ACTION, re.IGNORECASE).match(last))
    return None


def is_name_of_secret(value: str) -> bool:
    """Return whether a value is the name of a secret: `password`, `my_api_key`."""
    if len(value) > 40 or not re.fullmatch(r"[A-Za-z]+(?:[ _-][A-Za-z]+)*", value):
        return False
    kind = secret_kind(value.replace(" ", "-"))
    return kind is not None and kind.what != "secret" and not value.endswith("pass")
