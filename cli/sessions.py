"""Opening a context for a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bai.cli import options

if TYPE_CHECKING:
    from bai.session import Session


def open_session(context: str | None) -> Session:
    """Open a context by name or the current one, and bring its state up to date.

    Raises:
        ContextError: there is no such context.
        StateError: its state folder can't be used.
    """
    from bai.session import connect

    return up_to_date(connect(context))


def up_to_date(session: Session) -> Session:
    """Return a session after a keeper step, or say on stderr if its state can't be written.

    The Python API writes nothing where it is only asked; every command begins with this step.
    """
    session.provider.keep()
    if session.provider.stale:
        options.note(f"this may be out of date: {session.provider.stale}")
    return session
