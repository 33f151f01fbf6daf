"""BAI501: the line of a mount is in one of its forms.

They are `azureFile:SHARE`, `azureBlob:CONTAINER`, `fileServer:NAME`, `file:DIRECTORY`,
`command:COMMAND`, and an address pasted from Azure. With // the account comes first,
`azureFile://ACCOUNT/SHARE`; options follow a question mark. A blob container is mounted as a whole,
without a directory.

Wrong (job):

    mounts: {data: "azureFiles:data"}

Right (job):

    mounts: {data: "azureFile:data"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI501", "a mount's line that can't be read", stage=Stage.COMPILING)
