"""The model of a script that may use Horovod."""

from __future__ import annotations

from functools import cached_property

from bai.linter.python.guards import Guards
from bai.linter.python.horovod_names import HorovodNames
from bai.linter.python.rank_tests import RankTests


class HorovodScript(HorovodNames):
    """A script with its names of Horovod and its conditions on the rank."""

    @cached_property
    def guards(self) -> Guards:
        """What may be about the rank."""
        return Guards(self)

    @cached_property
    def tests(self) -> RankTests:
        """What certainly is about the rank."""
        return RankTests(self)
