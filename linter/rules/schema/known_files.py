"""BAI209: a file is a spec, or a job, cluster or file server file of Batch AI.

A spec is known by its `apiVersion`. Batch AI's files hold everything under `properties`, and are
told apart by `$schema` or by the keys that only one of them has.

Wrong (file):

    {
      "vmSize": "STANDARD_NC6",
      "scaleSettings": {"manual": {"targetNodeCount": 2}}
    }

Right (file):

    {
      "properties": {
        "vmSize": "STANDARD_NC6",
        "scaleSettings": {"manual": {"targetNodeCount": 2}},
        "userAccountSettings": {
          "adminUserName": "me",
          "adminUserSshPublicKey": "ssh-rsa AAAA"
        }
      }
    }
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI209", "a file of no known kind", stage=Stage.COMPILING)
