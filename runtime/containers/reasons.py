"""What podman and docker say when they fail, with what it means for who runs a job."""

from __future__ import annotations

from typing import Final

_REFUSED: Final = ("unauthorized", "authentication required", "denied", "invalid username/password")
_UNKNOWN: Final = ("manifest unknown", "name unknown", "repository name not known")
_STARTING: Final = {
    '"sh": executable file not found': (
        "the image needs sh, cat, rm and sleep, and bash for command lines"
    ),
    "unresolvable cdi devices": (
        "it does not know the GPUs: nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml"
    ),
}


def pull_reason(said: str, username: str | None) -> str:
    """Return why an image can't be pulled.

    Args:
        said: the reason that the program gives.
        username: the account that it was pulled with; None without one.

    >>> pull_reason("Error: manifest unknown", None)
    'the registry has no such image (Error: manifest unknown)'
    """
    lower = said.lower()
    if any(words in lower for words in _UNKNOWN):
        return f"the registry has no such image ({said})"
    if not any(words in lower for words in _REFUSED):
        return said
    if username:
        meaning = f"the registry refuses the account {username}: is its password right?"
    else:
        meaning = "the registry asks for an account: add credentials to the image"
    return f"{meaning} ({said})"


def start_reason(said: str) -> str:
    """Return why a container can't be started, given the reason that the program gives."""
    lower = said.lower()
    hint = next((hint for words, hint in _STARTING.items() if words in lower), None)
    return f"{said}; {hint}" if hint else said
