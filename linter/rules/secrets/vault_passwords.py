r"""BAI602: the password of a node's user is in a variable or a file.

Batch AI takes references to a Key Vault for storage keys, secrets of jobs and registries, but not
for the password of a user account. An ssh key needs no secret at all.

Wrong (spec):

    clusters:
      gpu:
        vmSize: STANDARD_NC6
        scale: 2
        user:
          name: me
          password:
            keyVault:
              vault: "/subscriptions/s/resourceGroups/g/providers\
                /Microsoft.KeyVault/vaults/v"
              url: https://v.vault.azure.net/secrets/password/1

Right (spec):

    clusters:
      gpu:
        vmSize: STANDARD_NC6
        scale: 2
        user: {name: me, password: "env:ADMIN_PASSWORD"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI602", "a node's password in a Key Vault", stage=Stage.COMPILING)
