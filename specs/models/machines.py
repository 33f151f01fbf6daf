"""Clusters and file servers, as a person writes them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from bai.specs.models.base import (
    LARGEST_INTEGER,
    Count,
    Filled,
    Name,
    ShortForm,
    Size,
    SpecModel,
    VariableName,
    short_form,
)
from bai.specs.models.commands import CommandLine
from bai.specs.models.errors import model_error
from bai.specs.models.mounts import Mounts
from bai.specs.models.scalars import Text
from bai.specs.models.secret_forms import SecretSource
from bai.specs.models.sizes import DiskSize
from bai.specs.names import nearest
from bai.specs.secrets import KeyVaultRef

IMAGE_ALIASES = {
    "ubuntults": ("Canonical", "UbuntuServer", "16.04-LTS"),
    "ubuntudsvm": ("microsoft-ads", "linux-data-science-vm-ubuntu", "linuxdsvmubuntu"),
}
"""Alias in lower case -> publisher, offer, sku, as `az batchai` knows them."""

COUNT_SCHEMA = {"type": "integer", "minimum": 0, "maximum": LARGEST_INTEGER}


class Scale(SpecModel):
    """Fixed by `target`, or following the jobs between `min` and `max`."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": ["target"]}, {"required": ["min", "max"]}]}
    )

    target: Size | None = None
    """Fixed number of nodes, 2 for example."""
    on_deallocation: Literal["requeue", "terminate", "waitForJobCompletion"] | None = None
    """What becomes of jobs on nodes that go when `target` shrinks; the service's default is
    requeue.
    """
    min: Size | None = None
    """Fewest nodes of an automatic scale, kept also without jobs; may be 0."""
    max: Size | None = None
    """Most nodes of an automatic scale."""
    initial: Size | None = None
    """Number of nodes that an automatic scale begins with; the service's default is 0."""

    @classmethod
    def key_errors(cls, keys: Collection[str]) -> Iterator[PydanticCustomError]:
        """Yield an error unless the scale is either fixed or automatic."""
        automatic = [key for key in keys if key in ("min", "max", "initial")]
        hint = "write a whole number, or {min, max}"
        if "target" in keys:
            if automatic:
                message = f"a scale is fixed or automatic, found target and {automatic[0]}"
                yield model_error("BAI305", message, hint)
            return
        if "min" not in keys or "max" not in keys:
            yield model_error("BAI305", "a scale needs target, or min and max", hint)
        if "onDeallocation" in keys:
            message = "onDeallocation goes with a fixed target"
            yield model_error("BAI305", message, "leave it out", ("onDeallocation",))

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min is not None and self.max is not None:
            if self.min > self.max:
                message = f"min {self.min} is above max {self.max}"
                raise model_error("BAI303", message, None, ("min",))
            if self.initial is not None and not self.min <= self.initial <= self.max:
                message = f"initial {self.initial} is not between {self.min} and {self.max}"
                raise model_error("BAI303", message, None, ("initial",))
        return self


class Image(SpecModel):
    """Operating system image: an alias, `PUBLISHER:OFFER:SKU[:VERSION]`, or in full."""

    alias: Filled | None = None
    """Short name of an image, in any case: UbuntuLTS or UbuntuDSVM."""
    publisher: Filled | None = None
    """Who publishes the image in Azure's marketplace: `Canonical`, for example."""
    offer: Filled | None = None
    """Name of the publisher's offer: `UbuntuServer`, for example."""
    sku: Filled | None = None
    """Variant of the offer: `16.04-LTS`, for example."""
    version: Filled | None = None
    """Version of the image, `16.04.201809120` for example; the service's default is latest."""
    id: Filled | None = None
    """ARM id of a custom image that was derived from publisher, offer and sku."""

    @classmethod
    def key_errors(cls, keys: Collection[str]) -> Iterator[PydanticCustomError]:
        """Yield an error unless the image is named, in one way."""
        if "alias" in keys:
            if extra := [key for key in keys if key in ("publisher", "offer", "sku", "version")]:
                message = f"an image alias stands for {extra[0]} already"
                yield model_error("BAI307", message, "keep the alias, or the parts", (extra[0],))
        elif missing := [key for key in ("publisher", "offer", "sku") if key not in keys]:
            message = f"the image needs publisher, offer and sku: no {' and '.join(missing)}"
            hint = "write UbuntuLTS, UbuntuDSVM or PUBLISHER:OFFER:SKU[:VERSION]"
            yield model_error("BAI307", message, hint)

    @model_validator(mode="after")
    def _known_alias(self) -> Self:
        if self.alias is not None and self.alias.lower() not in IMAGE_ALIASES:
            message = f"there is no image alias {self.alias!r}"
            near = nearest(self.alias, ["UbuntuLTS", "UbuntuDSVM"])
            forms = "write UbuntuLTS, UbuntuDSVM or PUBLISHER:OFFER:SKU[:VERSION]"
            hint = f"did you mean {near}?" if near else forms
            raise model_error("BAI307", message, hint, ("alias",))
        return self


def _image(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    parts = value.split(":")
    names = ("publisher", "offer", "sku", "version")
    if len(parts) > len(names):
        raise model_error("BAI307", f"{value!r} has more than the four parts of an image")
    if len(parts) == 1:
        return {"alias": value}
    return dict(zip(names, parts, strict=False))


ImageSpec = Annotated[Image, ShortForm(_image, {"type": "string", "minLength": 1})]


class User(SpecModel):
    """Administrator account: a name, and an ssh key or a password."""

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [{"required": ["sshKey"]}, {"required": ["password"]}]}
    )

    name: Filled
    """Name of the administrator on each machine."""
    ssh_key: Text | None = None
    """Public ssh key, as the text of a .pub file: `ssh-rsa AAAA... me@host`."""
    password: SecretSource | None = None
    """Where the password lives: `env:NAME` or `file:PATH`."""

    @classmethod
    def key_errors(cls, keys: Collection[str]) -> Iterator[PydanticCustomError]:
        """Yield an error where nobody could log in."""
        if "sshKey" not in keys and "password" not in keys:
            hint = "add one of them: password: env:NAME, for example"
            yield model_error("BAI305", "a user needs an sshKey or a password", hint)

    @model_validator(mode="after")
    def _password_that_batch_ai_takes(self) -> Self:
        if isinstance(self.password, KeyVaultRef):
            message = "Batch AI takes no Key Vault reference for a node's password"
            raise model_error("BAI602", message, "write env:NAME or file:PATH", ("password",))
        return self


class SetupTask(SpecModel):
    """Command run as root on every node when it is allocated or rebooted; must be idempotent."""

    command: CommandLine
    """Command line, run by bash: `apt-get install -y libopenmpi-dev`, or one command word by word,
    `[apt-get, install, -y, libopenmpi-dev]`.
    """
    environment: dict[VariableName, Text] = Field(default_factory=dict)
    """Name -> text of an environment variable of the command."""
    secrets: dict[VariableName, SecretSource] = Field(default_factory=dict)
    """Name of an environment variable of the command -> where its secret value lives."""
    logs: Filled
    """Path of a directory on one of the cluster's mounts that gets the command's stdout and stderr:
    `$AZ_BATCHAI_MOUNT_ROOT/NAME`.
    """


class PerformanceCounters(SpecModel):
    """An Application Insights component, and its key."""

    component: Filled
    """ARM id of the Application Insights component that takes them."""
    instrumentation_key: SecretSource
    """Where the component's instrumentation key lives: `env:NAME`, `file:PATH` or a Key Vault."""


class Cluster(SpecModel):
    """Equal machines that jobs run on."""

    vm_size: Filled | None = None
    """Azure's name of the size of each machine: `STANDARD_NC6` (one K80 GPU), for example. By
    default the context's; it has no meaning on this machine.
    """
    scale: Annotated[Scale, short_form("target", COUNT_SCHEMA)]
    """Number of nodes: an integer, or `{min: 0, max: 4}` to follow the jobs."""
    vm_priority: Literal["dedicated", "lowPriority"] | None = None
    """lowPriority nodes cost less and may be taken away; the service's default is dedicated."""
    image: ImageSpec | None = None
    """Operating system of the nodes; the service's default is Ubuntu 16.04 LTS."""
    user: User | None = None
    """Who may log in to the nodes, as administrator."""
    setup_task: SetupTask | None = None
    """Command that prepares each node before it takes jobs. On this machine it runs only where the
    context says `setup-task = "run"`, as the user who runs bai.
    """
    mounts: Mounts = Field(default_factory=dict)
    """Path below $AZ_BATCHAI_MOUNT_ROOT -> volume that appears there on every node, in a line such
    as `azureFile://ACCOUNT/SHARE` or `file:DIRECTORY`, or in full.
    """
    performance_counters: PerformanceCounters | None = None
    """Application Insights component that the nodes report performance counters to."""
    subnet: Filled | None = None
    """ARM id of the subnet that the nodes belong to; by default that of a mounted file server, or
    the service's own.
    """


class Disks(SpecModel):
    """Data disks of a file server."""

    count: Count
    """Number of disks; several become one RAID 0."""
    size: DiskSize
    """Size of each disk, a whole number of g (GB) or t: `256g`, for example."""
    type: Literal["standard", "premium"]
    """Kind of storage; premium only on sizes that have premium storage (STANDARD_DS2_V2, for one).
    """
    caching: Literal["none", "readOnly", "readWrite"] | None = None
    """What the machine caches of the disks; the service's default is none."""


class FileServer(SpecModel):
    """An NFS server with its own disks."""

    vm_size: Filled | None = None
    """Azure's name of the size of the machine: `STANDARD_DS2_V2`, for example. It has no meaning on
    this machine.
    """
    disks: Disks
    """Disks that hold the files: `{count: 2, size: 256g, type: premium}`."""
    user: User
    """Who may log in to the server, as administrator: `{name: me, password: env:NAME}`."""
    subnet: Filled | None = None
    """ARM id of the subnet that the server belongs to; by default the service makes one."""
    allow_ips: list[Filled] | None = Field(None, max_length=400)
    """Source addresses or ranges that may log in over ssh, 400 at most, such as `[203.0.113.0/24]`;
    by default all.
    """


Clusters = dict[Name, Cluster]
FileServers = dict[Name, FileServer]
