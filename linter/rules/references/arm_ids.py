r"""BAI409: what the service takes as the ARM id of something in Azure is one.

A subnet, a Key Vault, a custom image and an Application Insights component are named by their full
id, which says where they live. A name alone is refused once the request was sent.

Wrong (spec):

    clusters:
      gpu:
        vmSize: STANDARD_NC6
        scale: 2
        subnet: default

Right (spec):

    clusters:
      gpu:
        vmSize: STANDARD_NC6
        scale: 2
        subnet: "/subscriptions/s/resourceGroups/g/providers\
          /Microsoft.Network/virtualNetworks/net/subnets/default"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from bai.compiler.batchai.expressions import is_expression
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation
from bai.specs.findings import Path

_GROUP: Final = "/subscriptions/[^/]+/resourceGroups/[^/]+/providers/"
_FORMS: Final[dict[Path, tuple[str, str]]] = {
    ("subnet", "id"): ("Microsoft.Network/virtualNetworks/NAME/subnets/NAME", "a subnet"),
    ("component", "id"): ("Microsoft.Insights/components/NAME", "a component"),
    ("sourceVault", "id"): ("Microsoft.KeyVault/vaults/NAME", "a vault"),
    ("imageReference", "virtualMachineImageId"): ("Microsoft.Compute/images/NAME", "an image"),
}
"""End of a wire path -> (end of the id, what it is of)."""
_LAST: Final = tuple(dict.fromkeys(str(path[-1]) for path in _FORMS))


@rule("BAI409")
def arm_ids(resource: ResourceView) -> Iterator[Violation]:
    for path, text in resource.texts_at(*_LAST):
        form, what = _FORMS.get(path[-2:], (None, None))
        if form is None or is_expression(text):
            continue
        if not _pattern(form).fullmatch(text):
            message = f"{text!r} is not the ARM id of {what}"
            hint = f"/subscriptions/ID/resourceGroups/GROUP/providers/{form}"
            yield Violation(path, message, hint)


@cache
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(_GROUP + re.escape(form).replace("NAME", "[^/]+"), re.IGNORECASE)
