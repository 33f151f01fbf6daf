"""External inputs of a lint run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    # The compiler takes long to import, and Batch AI's own files do not need it.
    from bai.compiler.compilation import Defaults
    from bai.linter.host import Files, Packages, Shell
    from bai.linter.resource_view import ResourceView
    from bai.specs.parameters.records import GivenValues


class LintEnvironment(NamedTuple):
    """External inputs of rules. Compilations are checked without any."""

    defaults: Callable[[], Defaults] | None = None
    """Returns the values for names that specs leave out; None for none."""
    clusters: Sequence[ResourceView] = ()
    """Clusters of Batch AI's job files; they are not checked themselves."""
    files: Files | None = None
    """The files of this machine, for rules that look at scripts; None for no look."""
    shell: Shell | None = None
    """ShellCheck and bash, for the rules that ask them; None for no question."""
    own_python: bool = True
    """Whether jobs may run with the Python that runs bai, which is asked about their scripts."""
    packages: Packages | None = None
    """The packages that jobs will find; None where no job is going to run."""
    fuse_accounts: Collection[str] = ()
    """Storage accounts whose containers jobs will see by FUSE."""
    parameters: GivenValues | None = None
    """Values of the parameters of specs; None where they are not known yet."""


NOTHING = LintEnvironment()
