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
from typing import Final

from bai.compiler.expressions import is_expression
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects
from bai.specs.findings import Path

_GROUP: Final = "/subscriptions/[^/]+/resourceGroups/[^/]+/providers/"
_FORMS: Final = {
    ("subnet", "id"): ("Microsoft.Network/virtualNetworks/NAME/subnets/NAME", "a subnet"),
    ("component", "id"): ("Microsoft.Insights/components/NAME", "a component"),
    ("sourceVault", "id"): ("Microsoft.KeyVault/vaults/NAME", "a vault"),
    ("imageReference", "virtualMachineImageId"): ("Microsoft.Compute/images/NAME", "an image"),
}
"""End of a wire path -> (end of the id, what it is of)."""


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in subjects.items:
        for path, text in subject.texts:
            form, what = _FORMS.get(_end(path), (None, None))
            if form is None or is_expression(text):
                continue
            if not re.fullmatch(_pattern(form), text, re.IGNORECASE):
                message = f"{text!r} is not the ARM id of {what}"
                hint = f"/subscriptions/ID/resourceGroups/GROUP/providers/{form}"
                yield Complaint(subject, path, message, hint)


def _end(path: Path) -> tuple[str, str]:
    return (str(path[-2]), str(path[-1])) if len(path) > 1 else ("", "")


def _pattern(form: str) -> str:
    return _GROUP + re.escape(form).replace("NAME", "[^/]+")


RULE = Rule("BAI409", "not an ARM id of the right type", _check)
