"""File servers to their wire form."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.draft import Draft
from bai.compiler.passes.names import Names
from bai.compiler.passes.scope import Scope
from bai.compiler.passes.users import lower_user
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource
from bai.specs.findings import Path
from bai.specs.models.machines import FileServer


def lower_file_servers(scope: Scope, names: Names) -> Iterator[Resource]:
    """Iterate over the file servers of the spec."""
    for name, server in scope.spec.file_servers.items():
        yield _file_server(scope, names, name, server)


def _file_server(scope: Scope, names: Names, name: str, server: FileServer) -> Resource:
    at: Path = ("spec", "fileServers", name)
    draft = Draft(scope.document, at)
    draft.put(("properties", "vmSize"), server.vm_size, (*at, "vmSize"))
    ssh: Path = ("properties", "sshConfiguration")
    draft.put((*ssh, "publicIPsToAllow"), server.allow_ips, (*at, "allowIps"))
    lower_user(scope, draft, (*ssh, "userAccountSettings"), server.user, (*at, "user"))
    disks: Path = ("properties", "dataDisks")
    draft.put((*disks, "diskSizeInGB"), server.disks.size_gb, (*at, "disks", "sizeGB"))
    draft.put((*disks, "diskCount"), server.disks.count, (*at, "disks", "count"))
    draft.put((*disks, "storageAccountType"), server.disks.type, (*at, "disks", "type"))
    draft.put((*disks, "cachingType"), server.disks.caching, (*at, "disks", "caching"))
    draft.put(("properties", "subnet", "id"), server.subnet, (*at, "subnet"))
    return draft.finish(names.id(Kind.FILE_SERVER, name))
