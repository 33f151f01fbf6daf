"""BAI504: a storage account has a name that Azure allows.

Names of storage accounts are parts of host names: 3 to 24 lowercase letters and digits. Any other
name belongs to no account. Files may have `<AZURE_BATCHAI_STORAGE_ACCOUNT>` in its place, which
the command line fills in.

Wrong (job):

    mounts: {data: "azureFile://Vision_Data/data"}

Right (job):

    mounts: {data: "azureFile://visiondata/data"}
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.linter.facts.volumes import volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation
from bai.specs.names import nearest

_ACCOUNT = re.compile("[a-z0-9]{3,24}")


@rule("BAI504")
def account_names(resource: ResourceView) -> Iterator[Violation]:
    # A pass has told it of the accounts of specs, which several mounts may share.
    for volume in () if resource.is_compiled else volumes(resource):
        account = volume.text("accountName")
        if account in (None, STORAGE_ACCOUNT_PLACEHOLDER) or _ACCOUNT.fullmatch(account or ""):
            continue
        message, hint = f"{account!r} is no storage account's name", _HINT
        meant = nearest(account or "", [STORAGE_ACCOUNT_PLACEHOLDER], cutoff=0.8)
        if meant:
            hint = f"did you mean {meant}?"
        place = (*volume.path, "accountName")
        yield Violation(Part(place, account, meant), message, hint)


_HINT = "3 to 24 lowercase letters and digits"
