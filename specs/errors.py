"""Errors that every room may raise, each with a message for the user."""

from __future__ import annotations


class RuntimeFailure(Exception):  # noqa: N818 - the base of a family, not raised itself
    """Base of all errors of bai but findings. `str()` is one or two sentences for the user."""


class ContextError(RuntimeFailure):
    """bai.toml, or pyproject.toml for `bai lint`, has a value that is not valid."""


class ConflictError(RuntimeFailure):
    """The live side does not allow the change: in use, immutable, or changed meanwhile."""
