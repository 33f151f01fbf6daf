r"""BAI620: files for `az batchai` need no secret that only bai can look up.

A spec says where a secret is, and bai looks it up when a job starts. The old command line does not:
its files hold values. `bai compile -d` writes a marker in place of each, and says which.

Wrong (job):

    secrets: {TOKEN: "env:API_TOKEN"}

Right (job):

    secrets:
      TOKEN:
        keyVault:
          vault: "/subscriptions/0/resourceGroups/g/providers\
          /Microsoft.KeyVault/vaults/v"
          url: https://v.vault.azure.net/secrets/token
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule(
    "BAI620",
    "a reference to a secret in files for Azure",
    severity=Severity.WARNING,
    stage=Stage.EXPORTING,
)
