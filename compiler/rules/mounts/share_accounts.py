"""BAI505: the account of a share is the one that its address is of.

The address of an Azure file share begins with the storage account's name. With the key of another
account nobody can mount it.

Wrong (job.json):

    {
      "mountVolumes": {
        "azureFileShares": [
          {
            "accountName": "resultstore",
            "azureFileUrl": "https://datastore.file.core.windows.net/data",
            "relativeMountPath": "data"
          }
        ]
      }
    }

Right (job.json):

    {
      "mountVolumes": {
        "azureFileShares": [
          {
            "accountName": "datastore",
            "azureFileUrl": "https://datastore.file.core.windows.net/data",
            "relativeMountPath": "data"
          }
        ]
      }
    }
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects
from bai.compiler.rules.volumes import volumes

_ADDRESS = "https://([^./?#]+)\\.[^/]+/.+"


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in subjects.items:
        # Of a spec's accounts and addresses the compiler's passes know more.
        if subject.is_compiled:
            continue
        for kind, path, _ in volumes(subject):
            if kind != "azureFileShares":
                continue
            # A placeholder for the account is filled in later.
            url = subject.literal(*path, "azureFileUrl")
            account = subject.literal(*path, "accountName")
            if url is None:
                continue
            match = re.fullmatch(_ADDRESS, url)
            if match is None:
                hint = "write it like https://ACCOUNT.file.core.windows.net/SHARE"
                message = f"{url!r} is no address of a share"
                yield Complaint(subject, (*path, "azureFileUrl"), message, hint)
            elif account is not None and account.lower() != match[1].lower():
                message = f"the address is of account {match[1]!r}, accountName is {account!r}"
                hint = f"write {match[1]}, or leave accountName out"
                yield Complaint(subject, (*path, "accountName"), message, hint)


RULE = Rule("BAI505", "a share's account and its address differ", _check)
