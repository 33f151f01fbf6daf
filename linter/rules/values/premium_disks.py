"""BAI315: premium disks and caches are attached to machines that take them.

Only sizes with premium storage, whose names mostly have an `s` (DS, DSv2, GS, ...), take
Premium_LRS disks and a cache for disks.

Wrong (file):

    {
      "properties": {
        "vmSize": "STANDARD_D2_V2",
        "dataDisks": {
          "diskCount": 2,
          "diskSizeInGB": 512,
          "storageAccountType": "Premium_LRS"
        },
        "sshConfiguration": {
          "userAccountSettings": {
            "adminUserName": "me",
            "adminUserSshPublicKey": "ssh-rsa AAAA"
          }
        }
      }
    }

Right (file):

    {
      "properties": {
        "vmSize": "STANDARD_DS2_V2",
        "dataDisks": {
          "diskCount": 2,
          "diskSizeInGB": 512,
          "storageAccountType": "Premium_LRS"
        },
        "sshConfiguration": {
          "userAccountSettings": {
            "adminUserName": "me",
            "adminUserSshPublicKey": "ssh-rsa AAAA"
          }
        }
      }
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.batchai import vm_sizes
from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_DISKS = ("properties", "dataDisks")


@rule("BAI315")
def premium_disks(server: ResourceView) -> Iterator[Violation]:
    if server.kind is not Kind.FILE_SERVER:
        return
    name = server.literal("properties", "vmSize")
    size = vm_sizes.find(name) if name else None
    if size is None or size.premium_storage:
        return
    hint = "choose a size with premium storage, STANDARD_DS2_V2 for example"
    if server.text(*_DISKS, "storageAccountType") == "Premium_LRS":
        message = f"{name} takes no Premium_LRS disks"
        yield Violation((*_DISKS, "storageAccountType"), message, hint)
    if server.text(*_DISKS, "cachingType") in ("readonly", "readwrite"):
        message = f"{name} takes no cache for its disks"
        yield Violation((*_DISKS, "cachingType"), message, hint)
