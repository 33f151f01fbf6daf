"""BAI330: the nodes of a cluster run Ubuntu."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_PATH: Final = ("properties", "virtualMachineConfiguration", "imageReference")
# Other publishers make images of all kinds.
_OTHERS: Final = frozenset(
    {"coreos", "credativ", "microsoftwindowsserver", "openlogic", "oracle", "redhat", "suse"}
)
"""Publishers of images with other systems only, in lower case."""


@rule("BAI330", Kind.CLUSTER)
def ubuntu(cluster: ResourceView) -> Iterator[Violation]:
    publisher, offer = (cluster.literal(*_PATH, key) for key in ("publisher", "offer"))
    if publisher and publisher.lower() in _OTHERS:
        message = f"the service's nodes run Ubuntu, not {offer or publisher}"
        hint = "use UbuntuLTS or UbuntuDSVM"
        if not cluster.is_compiled:
            hint = "use the publisher Canonical, the offer UbuntuServer and the sku 16.04-LTS"
        yield Violation((*_PATH, "publisher"), message, hint)
