"""BAI505: the address of a file share begins with the account of its mount.

The service signs in with the account's name and key at that address. With the address of another
account the mount fails on the nodes, before the job starts.

Wrong (job):

    mounts:
      data:
        azureFile:
          account: ours
          url: https://theirs.file.core.chinacloudapi.cn/data

Right (job):

    mounts:
      data:
        azureFile:
          account: theirs
          url: https://theirs.file.core.chinacloudapi.cn/data
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI505", "a share's address that does not fit its account", stage=Stage.COMPILING)
