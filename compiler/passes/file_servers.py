"""File servers to their wire form."""

from __future__ import annotations

from bai.compiler.passes.scope import Scope
from bai.compiler.passes.users import lower_user
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource
from bai.specs.findings import Path
from bai.specs.models.machines import FileServer


def lower_file_server(scope: Scope, name: str, server: FileServer) -> Resource:
    """Return the file server of a name."""
    at: Path = ("spec", "fileServers", name)
    builder = WireBuilder(scope, at)
    builder.set(("properties", "vmSize"), server.vm_size, (*at, "vmSize"))
    ssh: Path = ("properties", "sshConfiguration")
    builder.set((*ssh, "publicIPsToAllow"), server.allow_ips, (*at, "allowIps"))
    lower_user(builder, (*ssh, "userAccountSettings"), server.user, (*at, "user"))
    disks: Path = ("properties", "dataDisks")
    builder.set((*disks, "diskSizeInGB"), server.disks.size_gb, (*at, "disks", "sizeGB"))
    builder.set((*disks, "diskCount"), server.disks.count, (*at, "disks", "count"))
    builder.set((*disks, "storageAccountType"), server.disks.type, (*at, "disks", "type"))
    builder.set((*disks, "cachingType"), server.disks.caching, (*at, "disks", "caching"))
    builder.set(("properties", "subnet", "id"), server.subnet, (*at, "subnet"))
    return builder.finish(scope.names.id(Kind.FILE_SERVER, name))
