"""BAI503: a mount is of exactly one kind.

In its full form, a mount has one key that says what it is: azureFile, azureBlob, fileServer,
unmanaged or file. At one path there can be only one volume.

Wrong (job):

    mounts:
      data:
        azureFile: {share: data}
        azureBlob: {container: data}

Right (job):

    mounts:
      data:
        azureFile: {share: data}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI503", "a mount of no kind, or of two", stage=Stage.COMPILING)
