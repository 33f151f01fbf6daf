"""Rules about the addresses of file shares and the networks of file servers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER, Kind
from bai.linter.context import RuleContext
from bai.linter.facts.placeholders import unfilled_in_address
from bai.linter.facts.volumes import FILE_SHARES, volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule, rule
from bai.linter.violation import Part, Violation
from bai.specs.names import nearest

_HOSTS: Final = tuple(
    f"file.core.{cloud}"
    for cloud in ("windows.net", "chinacloudapi.cn", "usgovcloudapi.net", "cloudapi.de")
)
"""What stands behind the account in addresses of shares: in Azure, and in its national clouds."""
_OTHER_SERVICES: Final = frozenset({"blob", "dfs", "queue", "table", "web"})
_ALIKE: Final = 0.85
"""How much a host must be like another one to be meant as it."""
_ADDRESS = re.compile(r"https://([^./?#]+)\.([^/?#]+)/+[^/?#]", re.IGNORECASE)


@rule("BAI505", Kind.JOB, Kind.CLUSTER, keys=("azureFileUrl",))
def share_addresses(resource: ResourceView) -> Iterator[Violation]:
    """The address of a file share begins with the account of its mount."""
    for volume in volumes(resource):
        url = volume.text("azureFileUrl") if volume.kind == FILE_SHARES else None
        # BAI611 reports placeholders.
        if url is None or _is_usual(url, volume.entry) or any(unfilled_in_address(url)):
            continue
        path = volume.at("azureFileUrl")
        # In specs, a pass checks the rest of the address.
        if not resource.is_compiled and (found := _wrong(url, volume.text("accountName"))):
            yield Violation(path, *found)
        elif misspelt := _misspelt_host(url):
            host, meant = misspelt
            message = f"{host} is no host of file shares"
            yield Violation(Part(path, host, meant), message, f"did you mean {meant}?")


def _is_usual(url: str, volume: Mapping[str, Any]) -> bool:
    """Return whether an address is that of a share of the volume's account, as nearly all are."""
    account = volume.get("accountName")
    if not isinstance(account, str) or not account.isalnum():
        return False
    prefix = f"https://{account}.{_HOSTS[0]}/"
    return url.startswith(prefix) and url[len(prefix) : len(prefix) + 1].isalnum()


def _misspelt_host(url: str) -> tuple[str, str] | None:
    """Return (host without the account, host that is meant) if it is nearly that of a cloud."""
    match = _ADDRESS.match(url)
    if match is None:
        return None
    host = match[2].lower()
    # Hosts of other clouds, such as Azure Stack's, are not alike.
    if host in _HOSTS or host.partition(".")[0] in _OTHER_SERVICES:
        return None
    meant = nearest(host, _HOSTS, _ALIKE)
    return (match[2], meant) if meant else None


def _wrong(url: str, account: str | None) -> tuple[str, str] | None:
    """Return (message, hint) about a share's address; None if nothing is wrong with it."""
    match = _ADDRESS.match(url)
    if match is None:
        message = f"{url!r} is no address of a share"
        return message, "write it like https://ACCOUNT.file.core.windows.net/SHARE"
    owner, host = match.groups()
    if host.lower().startswith("blob."):
        message = f"{url!r} is the address of a blob container"
        return message, "mount it under azureBlobFileSystems"
    # The command line may fill in any address.
    if account is None or STORAGE_ACCOUNT_PLACEHOLDER in (account, owner):
        return None
    if owner.lower() != account.lower():
        message = f"the address is of account {owner!r}, the mount's account is {account!r}"
        return message, f"write accountName: {owner}"
    return None


@context_rule("BAI516", Kind.JOB, Kind.CLUSTER, needs_cluster=True, keys=("fileServer",))
def subnets(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    """A file server is in the virtual network of the cluster that mounts it."""
    servers = {
        str(item.id).lower(): network
        for item in context.items
        if item.kind is Kind.FILE_SERVER and item.id and (network := _network(item))
    }
    if not servers:
        return
    cluster = context.cluster_of(resource) if resource.kind is Kind.JOB else resource
    network = _network(cluster) if cluster else None
    if cluster is None or network is None:
        return
    for volume in volumes(resource):
        path = volume.at("fileServer", "id")
        theirs = servers.get((resource.text(*path) or "").lower())
        if theirs and theirs.lower() != network.lower():
            message = f"the file server is in the network {_name(theirs)}"
            hint = f"the cluster {cluster.name} is in {_name(network)}: put both into one"
            yield Violation(path, message, hint)


def _network(resource: ResourceView) -> str | None:
    """Return the ARM id of a machine's virtual network, if it is given."""
    subnet = resource.text("properties", "subnet", "id")
    return subnet.lower().partition("/subnets/")[0] if subnet else None


def _name(network: str) -> str:
    return network.rstrip("/").rpartition("/")[2]
