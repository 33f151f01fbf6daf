"""The shortest names by which resources can be told from others of their kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from bai.compiler.resources.ids import Kind, ResourceId


class ShortNames:
    """The short names of resources among some, for which each of these is looked at once."""

    def __init__(self, others: Iterable[ResourceId]) -> None:
        """Tell resources from others; the resources themselves may be among them."""
        self._alike: dict[tuple[Kind, str], list[ResourceId]] = defaultdict(list)
        for id in others:
            self._alike[id.kind, id.name.lower()].append(id)

    def name(self, id: ResourceId) -> str:
        """Return the shortest name that, among all of its kind, only this has: `two/train`."""
        alike = [other for other in self._alike.get((id.kind, id.name.lower()), ()) if other != id]
        names = ("/".join(id.address[-count:]) for count in range(1, len(id.address)))
        alone = (name for name in names if not any(other.is_called(name) for other in alike))
        return next(alone, "/".join(id.address))

    def label(self, id: ResourceId) -> str:
        """Return a resource's kind and its `name`: `job/train`, `job/two/train`."""
        return f"{id.kind.singular}/{self.name(id)}"
