"""BAI504: a storage account has a name that Azure allows.

3 to 24 lowercase letters and digits, without hyphens: the name is a part of the account's address.
The name comes from the mount, else from the spec's `storageAccount`, else from the context.

Wrong (job):

    mounts: {data: "azureFile://My-Account/data"}

Right (job):

    mounts: {data: "azureFile://myaccount/data"}
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI504", "not the name of a storage account", stage=Stage.COMPILING)
