"""The model of a script that may use Horovod."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from bai.linter.python.guards import Guards
from bai.linter.python.horovod_names import HorovodNames
from bai.linter.python.rank_tests import RankTests
from bai.linter.python.script_model import ScriptModel
from bai.linter.python.value_flows import Flow, flows


class HorovodScript(ScriptModel):
    """A script with its names of Horovod and its conditions on the rank."""

    @cached_property
    def horovod(self) -> HorovodNames:
        """The names that are bound to Horovod."""
        return HorovodNames(self)

    @cached_property
    def flows(self) -> Sequence[Flow]:
        """Which values reach which names."""
        return flows(self)

    @cached_property
    def guards(self) -> Guards:
        """What may be about the rank."""
        return Guards(self, self.flows, self.horovod)

    @cached_property
    def tests(self) -> RankTests:
        """What certainly is about the rank."""
        return RankTests(self, self.horovod)
