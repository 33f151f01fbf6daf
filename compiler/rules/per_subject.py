"""What is found out about a subject once, however many rules ask for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from bai.compiler.rules.subject import Subject

Found = TypeVar("Found")


def per_subject(find: Callable[[Subject], Found]) -> Callable[[Subject], Found]:
    """Return `find`, made to keep what it found in the subject, as a cached property does."""
    key = f"{find.__module__}.{find.__qualname__}"

    @wraps(find)
    def kept(subject: Subject) -> Found:
        known = subject.__dict__
        if key not in known:
            known[key] = find(subject)
        found: Found = known[key]
        return found

    return kept
