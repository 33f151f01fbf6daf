"""What something is checked in: all that a check may know beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    # What compiles specs takes long to import, and Batch AI's own files need none of it.
    from bai.compiler.compilation import Defaults
    from bai.linter.host import Files, Shell
    from bai.linter.resource_view import ResourceView


class LintEnvironment(NamedTuple):
    """What a file is checked in. A compilation alone is checked in nothing."""

    defaults: Callable[[], Defaults] | None = None
    """Returns what a spec may leave unsaid, if there is one; None for nothing."""
    clusters: Sequence[ResourceView] = ()
    """What Batch AI's job files are checked together with; of these themselves nothing is told."""
    files: Files | None = None
    """The files of this machine, for rules that look at scripts; None for no look."""
    shell: Shell | None = None
    """ShellCheck and bash, for the rules that ask them; None for no question."""


NOTHING = LintEnvironment()
