"""The words of specs that Batch AI spells in another way.

All words of the language are written in camel case.
"""

from __future__ import annotations

from typing import Final

_SPELLINGS: Final = {
    "brainScript": "BrainScript",
    "gloo": "Gloo",
    "lowPriority": "lowpriority",
    "mpi": "MPI",
    "premium": "Premium_LRS",
    "python": "Python",
    "readOnly": "readonly",
    "readWrite": "readwrite",
    "standard": "Standard_LRS",
    "tcp": "TCP",
    "waitForJobCompletion": "waitforjobcompletion",
}
"""Word of a spec -> Batch AI's."""
_WORDS: Final = {spelling.lower(): word for word, spelling in _SPELLINGS.items()}


def wire_word(word: str) -> str:
    """Return how Batch AI spells a word of a spec."""
    return _SPELLINGS.get(word, word)


def spec_word(spelling: str) -> str:
    """Return how a spec spells a word of Batch AI's, in any case; other texts stay as they are."""
    return _WORDS.get(spelling.lower(), spelling)
