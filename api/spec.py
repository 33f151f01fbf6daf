"""Specs in Python: the language with types, a class for each mapping of a spec.

Example::

    import bai
    from bai import spec

    hello = spec.Experiment(
        metadata=spec.Metadata(name="hello"),
        jobs={"hello": spec.Job(code=".", custom=spec.Custom(command="python hello.py"))},
    )
    print(hello.to_yaml())
    bai.load(hello).apply()

`spec.Experiment.read` makes an experiment of a file. What it says can be changed: a class has the
keys of YAML as attributes, in snake_case. `bai.load` finds in it what it finds in a file.

This file is made by `python tools/build_spec.py` from the models in `bai.specs.models`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from bai.spec_documents import Document
from bai.spec_parts import Part, Scalar, Table
from bai.spec_values import Reference, parameter
from bai.specs.models.experiment import Experiment as _Experiment
from bai.specs.models.job import Container as _Container
from bai.specs.models.job import Input as _Input
from bai.specs.models.job import Job as _Job
from bai.specs.models.job import Output as _Output
from bai.specs.models.job import RegistryCredentials as _RegistryCredentials
from bai.specs.models.kinds import ClusterDocument as _ClusterDocument
from bai.specs.models.kinds import FileServerDocument as _FileServerDocument
from bai.specs.models.kinds import WorkspaceDocument as _WorkspaceDocument
from bai.specs.models.machines import Cluster as _Cluster
from bai.specs.models.machines import Disks as _Disks
from bai.specs.models.machines import FileServer as _FileServer
from bai.specs.models.machines import Image as _Image
from bai.specs.models.machines import PerformanceCounters as _PerformanceCounters
from bai.specs.models.machines import Scale as _Scale
from bai.specs.models.machines import SetupTask as _SetupTask
from bai.specs.models.machines import User as _User
from bai.specs.models.metadata import ExperimentMetadata as _ExperimentMetadata
from bai.specs.models.metadata import MachineMetadata as _MachineMetadata
from bai.specs.models.metadata import WorkspaceMetadata as _WorkspaceMetadata
from bai.specs.models.mounts import AzureBlob as _AzureBlob
from bai.specs.models.mounts import AzureFile as _AzureFile
from bai.specs.models.mounts import FileServerVolume as _FileServerVolume
from bai.specs.models.mounts import LocalDirectory as _LocalDirectory
from bai.specs.models.mounts import Mount as _Mount
from bai.specs.models.mounts import Unmanaged as _Unmanaged
from bai.specs.models.parameters import Parameter as _Parameter
from bai.specs.models.secret_forms import KeyVaultSecret as _KeyVaultSecret
from bai.specs.models.secret_forms import SecretForm as _SecretForm
from bai.specs.models.sweep import Dimension as _Dimension
from bai.specs.models.sweep import EarlyStopping as _EarlyStopping
from bai.specs.models.sweep import Objective as _Objective
from bai.specs.models.sweep import Sweep as _Sweep
from bai.specs.models.toolkits import Caffe as _Caffe
from bai.specs.models.toolkits import Caffe2 as _Caffe2
from bai.specs.models.toolkits import Chainer as _Chainer
from bai.specs.models.toolkits import Cntk as _Cntk
from bai.specs.models.toolkits import Custom as _Custom
from bai.specs.models.toolkits import CustomMpi as _CustomMpi
from bai.specs.models.toolkits import Horovod as _Horovod
from bai.specs.models.toolkits import PyTorch as _PyTorch
from bai.specs.models.toolkits import TensorFlow as _TensorFlow

__all__ = [
    "AzureBlob",
    "AzureFile",
    "Caffe",
    "Caffe2",
    "Chainer",
    "Cluster",
    "ClusterDocument",
    "Cntk",
    "Container",
    "Custom",
    "CustomMpi",
    "Disks",
    "Document",
    "EarlyStopping",
    "Experiment",
    "FileServer",
    "FileServerDocument",
    "FileServerVolume",
    "Horovod",
    "Image",
    "Input",
    "Job",
    "KeyVaultSecret",
    "LocalDirectory",
    "MachineMetadata",
    "Metadata",
    "Mount",
    "Objective",
    "Output",
    "Parameter",
    "Part",
    "PerformanceCounters",
    "PyTorch",
    "Range",
    "Reference",
    "RegistryCredentials",
    "Scalar",
    "Scale",
    "Secret",
    "SetupTask",
    "Sweep",
    "Table",
    "TensorFlow",
    "Unmanaged",
    "User",
    "Workspace",
    "WorkspaceMetadata",
    "parameter",
]


class Experiment(Document, model=_Experiment):
    """An experiment: jobs and the machines they run on."""

    metadata: Metadata
    """What the experiment is called, and the workspace that holds it: `{name: digits}`."""
    parameters: Table[Scalar | Parameter] = Table()
    """Name -> default of a value that stands where the spec says `${parameters.NAME}`, and that `-p
    NAME=VALUE` changes: `{lr: 0.1}`.
    """
    storage_account: str | None = None
    """Name of the storage account of mounts that name none; by default the context's."""
    storage_key: str | Secret | None = None
    """Where the key of `storageAccount` lives; by default in the environment's
    AZURE_BATCHAI_STORAGE_KEY.
    """
    file_servers: Table[FileServer] = Table()
    """Name -> NFS server with disks of its own, which clusters and jobs can mount."""
    clusters: Table[Cluster] = Table()
    """Name -> cluster, the machines that jobs run on."""
    jobs: Table[Job] = Table()
    """Name -> job, a program with the nodes that it runs on."""


class Metadata(Part, model=_ExperimentMetadata):
    """Names of the experiment and of what holds it."""

    name: str
    """Name of the experiment, `digits` for example: it groups the jobs of one subject."""
    workspace: str | None = None
    """Name of the workspace that holds it; by default the context's."""
    resource_group: str | None = None
    """Name of the Azure resource group that holds the workspace; by default the context's."""
    subscription: str | None = None
    """Id of the Azure subscription, a UUID; by default the context's."""
    location: str | None = None
    """Azure region of the workspace, `eastus` for example; by default the context's."""
    tags: Table[Scalar] = Table()
    """Tags of the workspace, name -> text: `{team: vision}`."""


class Parameter(Part, model=_Parameter):
    """A value that stands where the spec says `${parameters.NAME}`: its default, or in full."""

    default: Scalar | None = None
    """Value that the parameter has where none is given; without a default one must be given, with
    `-p NAME=VALUE` for example.
    """
    type: Literal["integer", "number", "string", "boolean"] | None = None
    """Type of the value; by default that of `default`, `choices`, `min` and `max`."""
    choices: Sequence[Scalar] | None = None
    """Values of which the parameter has one: `[resnet50, vgg16]`, for example."""
    min: float | None = None
    """Smallest value of a number, 1 for example."""
    max: float | None = None
    """Largest value of a number, 8 for example."""
    description: str | None = None
    """What the parameter is for, in words."""


class Secret(Part, model=_SecretForm):
    """Never in plain text: `env:NAME` or `file:PATH` in a line, or one of the keys."""

    env: str | None = None
    """Name of an environment variable of the machine that runs bai, read when the spec is applied.
    """
    file: str | None = None
    """Path of a file on the machine that runs bai, read when the spec is applied."""
    key_vault: KeyVaultSecret | None = None
    """A secret in an Azure Key Vault, read by the service."""


class KeyVaultSecret(Part, model=_KeyVaultSecret):
    """A secret in an Azure Key Vault, read by the service."""

    vault: str
    """ARM id of the Key Vault: `/subscriptions/.../vaults/NAME`."""
    url: str
    """URL of the secret, `https://VAULT.vault.azure.net/secrets/NAME/VERSION`."""


class FileServer(Part, model=_FileServer):
    """An NFS server with its own disks."""

    vm_size: str | None = None
    """Azure's name of the size of the machine: `STANDARD_DS2_V2`, for example. It has no meaning on
    this machine.
    """
    disks: Disks
    """Disks that hold the files: `{count: 2, size: 256g, type: premium}`."""
    user: User
    """Who may log in to the server, as administrator: `{name: me, password: env:NAME}`."""
    subnet: str | None = None
    """ARM id of the subnet that the server belongs to; by default the service makes one."""
    allow_ips: Sequence[str] | None = None
    """Source addresses or ranges that may log in over ssh, 400 at most, such as `[203.0.113.0/24]`;
    by default all.
    """


class Disks(Part, model=_Disks):
    """Data disks of a file server."""

    count: int | Reference
    """Number of disks; several become one RAID 0."""
    size: str
    """Size of each disk, a whole number of g (GB) or t: `256g`, for example."""
    type: Literal["standard", "premium"] | Reference
    """Kind of storage; premium only on sizes that have premium storage (STANDARD_DS2_V2, for one).
    """
    caching: Literal["none", "readOnly", "readWrite"] | Reference | None = None
    """What the machine caches of the disks; the service's default is none."""


class User(Part, model=_User):
    """Administrator account: a name, and an ssh key or a password."""

    name: str
    """Name of the administrator on each machine."""
    ssh_key: str | None = None
    """Public ssh key, as the text of a .pub file: `ssh-rsa AAAA... me@host`."""
    password: str | Secret | None = None
    """Where the password lives: `env:NAME` or `file:PATH`."""


class Cluster(Part, model=_Cluster):
    """Equal machines that jobs run on."""

    vm_size: str | None = None
    """Azure's name of the size of each machine: `STANDARD_NC6` (one K80 GPU), for example. By
    default the context's; it has no meaning on this machine.
    """
    scale: int | Reference | Scale
    """Number of nodes: an integer, or `{min: 0, max: 4}` to follow the jobs."""
    vm_priority: Literal["dedicated", "lowPriority"] | Reference | None = None
    """lowPriority nodes cost less and may be taken away; the service's default is dedicated."""
    image: str | Image | None = None
    """Operating system of the nodes; the service's default is Ubuntu 16.04 LTS."""
    user: User | None = None
    """Who may log in to the nodes, as administrator."""
    setup_task: SetupTask | None = None
    """Command that prepares each node before it takes jobs. On this machine it runs only where the
    context says `setup-task = "run"`, as the user who runs bai.
    """
    mounts: Table[str | Mount] = Table()
    """Path below $AZ_BATCHAI_MOUNT_ROOT -> volume that appears there on every node, in a line such
    as `azureFile://ACCOUNT/SHARE` or `file:DIRECTORY`, or in full.
    """
    performance_counters: PerformanceCounters | None = None
    """Application Insights component that the nodes report performance counters to."""
    subnet: str | None = None
    """ARM id of the subnet that the nodes belong to; by default that of a mounted file server, or
    the service's own.
    """


class Scale(Part, model=_Scale):
    """Fixed by `target`, or following the jobs between `min` and `max`."""

    target: int | Reference | None = None
    """Fixed number of nodes, 2 for example."""
    on_deallocation: Literal["requeue", "terminate", "waitForJobCompletion"] | Reference | None = (
        None
    )
    """What becomes of jobs on nodes that go when `target` shrinks; the service's default is
    requeue.
    """
    min: int | Reference | None = None
    """Fewest nodes of an automatic scale, kept also without jobs; may be 0."""
    max: int | Reference | None = None
    """Most nodes of an automatic scale."""
    initial: int | Reference | None = None
    """Number of nodes that an automatic scale begins with; the service's default is 0."""


class Image(Part, model=_Image):
    """Operating system image: an alias, `PUBLISHER:OFFER:SKU[:VERSION]`, or in full."""

    alias: str | None = None
    """Short name of an image, in any case: UbuntuLTS or UbuntuDSVM."""
    publisher: str | None = None
    """Who publishes the image in Azure's marketplace: `Canonical`, for example."""
    offer: str | None = None
    """Name of the publisher's offer: `UbuntuServer`, for example."""
    sku: str | None = None
    """Variant of the offer: `16.04-LTS`, for example."""
    version: str | None = None
    """Version of the image, `16.04.201809120` for example; the service's default is latest."""
    id: str | None = None
    """ARM id of a custom image that was derived from publisher, offer and sku."""


class SetupTask(Part, model=_SetupTask):
    """Command run as root on every node when it is allocated or rebooted; must be idempotent."""

    command: str | Sequence[Scalar]
    """Command line, run by bash: `apt-get install -y libopenmpi-dev`, or one command word by word,
    `[apt-get, install, -y, libopenmpi-dev]`.
    """
    environment: Table[Scalar] = Table()
    """Name -> text of an environment variable of the command."""
    secrets: Table[str | Secret] = Table()
    """Name of an environment variable of the command -> where its secret value lives."""
    logs: str
    """Path of a directory on one of the cluster's mounts that gets the command's stdout and stderr:
    `$AZ_BATCHAI_MOUNT_ROOT/NAME`.
    """


class Mount(Part, model=_Mount):
    """One volume, in a line or as exactly one of the keys."""

    azure_file: AzureFile | None = None
    """An Azure file share. In a line: `azureFile://ACCOUNT/SHARE?fileMode=0777`."""
    azure_blob: AzureBlob | None = None
    """An Azure blob container. In a line: `azureBlob://ACCOUNT/CONTAINER`."""
    file_server: FileServerVolume | None = None
    """A Batch AI file server. In a line: `fileServer://NAME/SOURCE/DIRECTORY?options=rw`."""
    unmanaged: Unmanaged | None = None
    """Any other file system. In a line: `command: mount -t cifs //host/share -o ...`."""
    file: LocalDirectory | None = None
    """A directory of this machine, for runs on this machine. In a line: `file:DIRECTORY`."""


class AzureFile(Part, model=_AzureFile):
    """An Azure file share. In a line: `azureFile://ACCOUNT/SHARE?fileMode=0777`."""

    account: str | None = None
    """Name of the storage account; by default the spec's `storageAccount`."""
    share: str | None = None
    """Name of the share, which may go on with a directory: `share/dir`."""
    url: str | None = None
    """Full URL of the share, for another cloud than Azure's public one."""
    key: str | Secret | None = None
    """Where the account's key lives; by default in the environment's AZURE_BATCHAI_STORAGE_KEY."""
    file_mode: str | None = None
    """Mode of the files, octal; the service's default is 0777."""
    directory_mode: str | None = None
    """Mode of the directories, octal; the service's default is 0777."""


class AzureBlob(Part, model=_AzureBlob):
    """An Azure blob container. In a line: `azureBlob://ACCOUNT/CONTAINER`."""

    account: str | None = None
    """Name of the storage account; by default the spec's `storageAccount`."""
    container: str
    """Name of the blob container, which is mounted as a whole."""
    key: str | Secret | None = None
    """Where the account's key lives; by default in the environment's AZURE_BATCHAI_STORAGE_KEY."""
    options: str | None = None
    """Options for blobfuse, as on its command line: `-o allow_other`, for example."""


class FileServerVolume(Part, model=_FileServerVolume):
    """A Batch AI file server. In a line: `fileServer://NAME/SOURCE/DIRECTORY?options=rw`."""

    name: str
    """Name of a file server in the same workspace, or the ARM id of any."""
    source: str | None = None
    """Directory on the server to mount; by default all of it."""
    options: str | None = None
    """Options for mount's -o: `rw`, for example."""


class Unmanaged(Part, model=_Unmanaged):
    """Any other file system. In a line: `command: mount -t cifs //host/share -o ...`."""

    command: str
    """Mount command without the mount path, which the service appends: `mount -t nfs host:/export`,
    for example.
    """


class LocalDirectory(Part, model=_LocalDirectory):
    """A directory of this machine, for runs on this machine. In a line: `file:DIRECTORY`."""

    path: str
    """The directory, from the folder of the spec's file: `.` is that folder."""


class PerformanceCounters(Part, model=_PerformanceCounters):
    """An Application Insights component, and its key."""

    component: str
    """ARM id of the Application Insights component that takes them."""
    instrumentation_key: str | Secret
    """Where the component's instrumentation key lives: `env:NAME`, `file:PATH` or a Key Vault."""


class Job(Part, model=_Job):
    """One run of a program on the nodes of a cluster: exactly one toolkit."""

    cluster: str | None = None
    """Name of a cluster of this spec, or the ARM id of any; by default the spec's only cluster. In
    a spec without clusters it is the context's, or else one that is made to measure.
    """
    node_count: int | Reference = 1
    """Number of nodes, 2 for example; all must be free before the job starts. By default 1."""
    priority: Literal["low", "normal", "high"] | Reference | None = None
    """Place among queued jobs: higher ones start first; the service's default is normal."""
    container: str | Container | None = None
    """Docker image that the job and its preparation run in; without one they run directly on the
    nodes.
    """
    code: str | None = None
    """Folder with the files that the job runs, from the folder of the spec's file: `.` is that
    folder. The job gets a copy of it as it is when it is applied, without what .gitignore and
    .baiignore leave out. Processes start there; $BAI_CODE leads to it.
    """
    mounts: Table[str | Mount] = Table()
    """Path below $AZ_BATCHAI_JOB_MOUNT_ROOT -> volume that appears there, in a line such as
    `azureFile://ACCOUNT/SHARE` or `file:DIRECTORY`, or in full.
    """
    preparation: str | Sequence[Scalar] | None = None
    """Command line run on every node before the toolkit starts: `pip install -r requirements.txt`
    for a shell, or one command word by word, `[pip, install, -r, requirements.txt]`.
    """
    inputs: Table[str | Input] = Table()
    """ID -> path of something to read, which the job finds in $AZ_BATCHAI_INPUT_ID: `{DATA:
    $AZ_BATCHAI_JOB_MOUNT_ROOT/data}`.
    """
    outputs: Table[str | Output] = Table()
    """ID -> path of a directory to write to, which is made for the job and found in
    $AZ_BATCHAI_OUTPUT_ID: `{MODEL: $AZ_BATCHAI_JOB_MOUNT_ROOT/data}`.
    """
    environment: Table[Scalar] = Table()
    """Name -> text of an environment variable of the job and its preparation: `{OMP_NUM_THREADS:
    1}`.
    """
    secrets: Table[str | Secret] = Table()
    """Name of an environment variable -> where its secret value lives: `{WANDB_API_KEY:
    env:WANDB_API_KEY}`.
    """
    logs: str | None = None
    """Path of a directory on one of the job's mounts that gets its stdout and stderr:
    `${mounts.NAME}` (Batch AI's stdOutErrPathPrefix). By default the mount called `logs`, or the
    share `logs` if the job has no such mount.
    """
    time_limit: str | None = None
    """Longest run: `90m`, `12h`, `2d`, or ISO 8601 such as `PT12H`; then the job is ended. The
    service's default is 7 days.
    """
    sweep: Sweep | None = None
    """Makes many jobs of this one, its members, with other parameters or values: `{grid:
    {environment.SEED: [1, 2, 3]}}`.
    """
    horovod: Horovod | None = None
    """Run a Python script in processes that Horovod connects."""
    py_torch: PyTorch | None = None
    """Run a Python script with PyTorch's distributed package."""
    tensor_flow: TensorFlow | None = None
    """Run a Python script as TensorFlow master, workers and parameter servers."""
    custom_mpi: CustomMpi | None = None
    """Run a command line in every process of an MPI job."""
    custom: Custom | None = None
    """Run a command line once, on the first node."""
    caffe: Caffe | None = None
    """Run Caffe with a solver's config file, or a Python script that uses it."""
    caffe2: Caffe2 | None = None
    """Run a Python script with Caffe2, once on each node."""
    chainer: Chainer | None = None
    """Run a Python script with ChainerMN, under MPI."""
    cntk: Cntk | None = None
    """Run Cognitive Toolkit with a BrainScript file or a Python script."""


class Container(Part, model=_Container):
    """Container image: a bare name, or in full."""

    image: str
    """Name of the image, `tensorflow/tensorflow:1.10.0-gpu` for example; in a private registry with
    the server's name, `me.azurecr.io/train:3`.
    """
    server: str | None = None
    """Address of the image registry, `me.azurecr.io` for example; by default Docker Hub."""
    credentials: RegistryCredentials | None = None
    """User name and password of a private image registry."""
    shm_size: str | None = None
    """Size of /dev/shm with a unit (b, k, m, g or t), `8g` for example; by default Docker's, 64m.
    """


class RegistryCredentials(Part, model=_RegistryCredentials):
    """Account of a private image registry."""

    username: str
    """User name in the registry."""
    password: str | Secret
    """Where the password lives: `env:REGISTRY_PASSWORD`, for example."""


class Input(Part, model=_Input):
    """Something to read: a bare path, or in full."""

    path: str
    """Path of a file or a directory, on one of the mounts or below another input. The job finds
    exactly this path in $AZ_BATCHAI_INPUT_ID.
    """


class Output(Part, model=_Output):
    """Place of an output: a bare path, or in full."""

    path: str
    """Path of a directory on one of the mounts. Every run writes to PATH/SEGMENT/outputs/SUFFIX,
    whose segment names the job and the run.
    """
    suffix: str | None = None
    """Last part of that directory's path, `models` for example; by default none."""


class Sweep(Part, model=_Sweep):
    """A job in many variants, its members: each is a job of its own."""

    grid: Mapping[str, Sequence[Scalar] | Range] | None = None
    """All combinations of values: `{lr: [0.1, 0.01], batch: [32, 64]}` has four members. Keys are
    parameters, or keys of the job such as `environment.SEED`.
    """
    random: Mapping[str, Sequence[Scalar] | Range] | None = None
    """As many random combinations as `samples` says: `{lr: {from: 1, to: 8, spread: log}}`."""
    zip_: Mapping[str, Sequence[Scalar] | Range] | None = None
    """The first values together, then the second ones, and so on: lists of one length."""
    list_: Sequence[Mapping[str, Scalar]] | None = None
    """The members one by one: `[{lr: 0.1, batch: 32}, {lr: 0.01, batch: 64}]`."""
    samples: int | Reference | None = None
    """Number of members of `random`."""
    seed: int | Reference | None = None
    """Seed of `random`: with the same one, the members are the same; by default 0."""
    concurrency: int | Reference | None = None
    """Most members that run at once; by default as many as there is room for."""
    stop_after_failures: int | Reference | None = None
    """Number of failed members after which no more are started; by default all are."""
    objective: Objective | None = None
    """The metric by which members are compared: `{metric: loss, goal: minimize}`."""
    early_stopping: EarlyStopping | None = None
    """Rule that ends members that do badly, judged by the objective: `{rule: median}`."""


class Range(Part, model=_Dimension):
    """The values that one thing takes: a bare list of them, or a range."""

    choices: Sequence[Scalar] | None = None
    """The values themselves, `[0.1, 0.01]` for example, which may also stand here alone."""
    from_: float | Reference | None = None
    """First number of a range; with whole numbers on both ends, all in between are whole."""
    to: float | Reference | None = None
    """Last number of a range, which is part of it."""
    step: float | Reference | None = None
    """Distance between the numbers of a range in a grid; by default 1 between whole numbers."""
    count: int | Reference | None = None
    """How many numbers of a range a grid has, evenly spread, both ends included."""
    spread: Literal["linear", "log"] | Reference | None = None
    """How the numbers of a range lie: evenly, or evenly in their logarithm; by default linear."""


class Objective(Part, model=_Objective):
    """The metric that says which member is best."""

    metric: str
    """Name of the metric, as the script reports it: `loss`, for example."""
    goal: Literal["minimize", "maximize"] | Reference
    """Whether a small or a large value is good."""


class EarlyStopping(Part, model=_EarlyStopping):
    """When to end a member that does worse than others, by the best value of each up to a step.

    Scripts report steps and values with `bai.metrics.report(step=..., loss=...)`.
    """

    rule: Literal["median", "successiveHalving"] | Reference
    """`median` ends a member whose best value is worse than the median of the others at the same
    step, once three others have come as far; `successiveHalving` ends, at steps that grow by
    `factor`, those that are not among the best, one in `factor` of those that have come there.
    """
    after: int | Reference | None = None
    """First step that the median rule looks at; by default 0."""
    first: int | Reference | None = None
    """First step at which successive halving compares members; by default 1."""
    factor: int | Reference | None = None
    """Of how many members successive halving keeps one; by default 3."""


class Horovod(Part, model=_Horovod):
    """Every process runs the script; Horovod tells it its rank."""

    process_count: int | Reference | None = None
    """Number of processes on all nodes together; by default one for each node."""
    processes_per_node: int | Literal["gpu"] | Reference | None = None
    """Number of processes on each node, or `gpu`: one for each GPU of a node, which the cluster's
    `vmSize` says, and on this machine the machine itself. By default 1.
    """
    script: str
    """Path of the Python script: `train.py` in the job's `code`, or `${mounts.code}/train.py`."""
    args: str | Sequence[Scalar] | None = None
    """Arguments of the script, as one line or word by word: `--epochs 10`, `[--epochs, 10]`."""
    python: str | None = None
    """Path of the Python interpreter, `/opt/env/bin/python` for example; by default the first
    `python` in PATH.
    """
    timeline: bool | Reference | None = None
    """Whether Horovod records what it does when: `timeline.json` in the output `TIMELINE`, beside
    the logs, for Chrome's `chrome://tracing` or https://ui.perfetto.dev. By default it does not.
    """


class PyTorch(Part, model=_PyTorch):
    """Every process runs the script; `backend` says how they talk."""

    process_count: int | Reference | None = None
    """Number of processes on all nodes together; by default one for each node."""
    processes_per_node: int | Literal["gpu"] | Reference | None = None
    """Number of processes on each node, or `gpu`: one for each GPU of a node, which the cluster's
    `vmSize` says, and on this machine the machine itself. By default 1.
    """
    script: str
    """Path of the Python script: `train.py` in the job's `code`, or `${mounts.code}/train.py`."""
    args: str | Sequence[Scalar] | None = None
    """Arguments of the script, as one line or word by word: `--epochs 10`, `[--epochs, 10]`."""
    python: str | None = None
    """Path of the Python interpreter, `/opt/env/bin/python` for example; by default the first
    `python` in PATH.
    """
    backend: Literal["tcp", "gloo", "mpi"] | Reference | None = None
    """How the processes talk to each other."""


class TensorFlow(Part, model=_TensorFlow):
    """Every process runs the script, with the arguments of its role where that has its own."""

    script: str
    """Path of the Python script: `train.py` in the job's `code`, or `${mounts.code}/train.py`."""
    args: str | Sequence[Scalar] | None = None
    """Arguments of the script, as one line or word by word: `--epochs 10`, `[--epochs, 10]`."""
    python: str | None = None
    """Path of the Python interpreter, `/opt/env/bin/python` for example; by default the first
    `python` in PATH.
    """
    master_args: str | Sequence[Scalar] | None = None
    """Arguments of the script in the master, in place of `args`."""
    worker_args: str | Sequence[Scalar] | None = None
    """Arguments of the script in the workers, in place of `args`."""
    parameter_server_args: str | Sequence[Scalar] | None = None
    """Arguments of the script in the parameter servers, in place of `args`."""
    worker_count: int | Reference | None = None
    """Number of worker processes on all nodes together; by default one for each node."""
    workers_per_node: int | Literal["gpu"] | Reference | None = None
    """Number of worker processes on each node, or `gpu`: one for each GPU of a node, which the
    cluster's `vmSize` says, and on this machine the machine itself. By default 1.
    """
    parameter_server_count: int | Reference | None = None
    """Number of parameter server processes; by default 1, and none in a job of one node that says
    neither this nor how many workers it has.
    """


class CustomMpi(Part, model=_CustomMpi):
    """Every process runs the command line."""

    process_count: int | Reference | None = None
    """Number of processes on all nodes together; by default one for each node."""
    processes_per_node: int | Literal["gpu"] | Reference | None = None
    """Number of processes on each node, or `gpu`: one for each GPU of a node, which the cluster's
    `vmSize` says, and on this machine the machine itself. By default 1.
    """
    command: str | Sequence[Scalar]
    """Command line of each process: `python train.py` for a shell, or one command word by word,
    `[python, train.py]`.
    """


class Custom(Part, model=_Custom):
    """The command line runs once, whatever `nodeCount` is; it can start others itself."""

    command: str | Sequence[Scalar]
    """Command line, run on the first node: `bash run.sh` for a shell, or one command word by word,
    `[bash, run.sh]`.
    """


class Caffe(Part, model=_Caffe):
    """A solver's config file or a Python script."""

    process_count: int | Reference | None = None
    """Number of processes on all nodes together; by default one for each node."""
    processes_per_node: int | Literal["gpu"] | Reference | None = None
    """Number of processes on each node, or `gpu`: one for each GPU of a node, which the cluster's
    `vmSize` says, and on this machine the machine itself. By default 1.
    """
    config: str | None = None
    """Path of the program's own config file, `solver.prototxt` for example (Caffe) or `train.cntk`
    (CNTK).
    """
    script: str | None = None
    """Path of a Python script to run instead of `config`."""
    python: str | None = None
    """Path of the Python interpreter, with `script` only; by default the first `python` in PATH."""
    args: str | Sequence[Scalar] | None = None
    """Arguments of the program or the script, as one line or a list of words."""


class Caffe2(Part, model=_Caffe2):
    """One process on each node."""

    script: str
    """Path of the Python script: `train.py` in the job's `code`, or `${mounts.code}/train.py`."""
    args: str | Sequence[Scalar] | None = None
    """Arguments of the script, as one line or word by word: `--epochs 10`, `[--epochs, 10]`."""
    python: str | None = None
    """Path of the Python interpreter, `/opt/env/bin/python` for example; by default the first
    `python` in PATH.
    """


class Chainer(Part, model=_Chainer):
    """Every process runs the script, under MPI."""

    process_count: int | Reference | None = None
    """Number of processes on all nodes together; by default one for each node."""
    processes_per_node: int | Literal["gpu"] | Reference | None = None
    """Number of processes on each node, or `gpu`: one for each GPU of a node, which the cluster's
    `vmSize` says, and on this machine the machine itself. By default 1.
    """
    script: str
    """Path of the Python script: `train.py` in the job's `code`, or `${mounts.code}/train.py`."""
    args: str | Sequence[Scalar] | None = None
    """Arguments of the script, as one line or word by word: `--epochs 10`, `[--epochs, 10]`."""
    python: str | None = None
    """Path of the Python interpreter, `/opt/env/bin/python` for example; by default the first
    `python` in PATH.
    """


class Cntk(Part, model=_Cntk):
    """A BrainScript config file or a Python script."""

    process_count: int | Reference | None = None
    """Number of processes on all nodes together; by default one for each node."""
    processes_per_node: int | Literal["gpu"] | Reference | None = None
    """Number of processes on each node, or `gpu`: one for each GPU of a node, which the cluster's
    `vmSize` says, and on this machine the machine itself. By default 1.
    """
    config: str | None = None
    """Path of the program's own config file, `solver.prototxt` for example (Caffe) or `train.cntk`
    (CNTK).
    """
    script: str | None = None
    """Path of a Python script to run instead of `config`."""
    python: str | None = None
    """Path of the Python interpreter, with `script` only; by default the first `python` in PATH."""
    args: str | Sequence[Scalar] | None = None
    """Arguments of the program or the script, as one line or a list of words."""
    language: Literal["brainScript", "python"] | Reference | None = None
    """Language of the model; by default brainScript with `config`, python with `script`."""


class ClusterDocument(Document, model=_ClusterDocument):
    """A cluster in a document of its own."""

    metadata: MachineMetadata
    """What the cluster is called, and the workspace that holds it: `{name: pair}`."""
    vm_size: str | None = None
    """Azure's name of the size of each machine: `STANDARD_NC6` (one K80 GPU), for example. By
    default the context's; it has no meaning on this machine.
    """
    scale: int | Reference | Scale
    """Number of nodes: an integer, or `{min: 0, max: 4}` to follow the jobs."""
    vm_priority: Literal["dedicated", "lowPriority"] | Reference | None = None
    """lowPriority nodes cost less and may be taken away; the service's default is dedicated."""
    image: str | Image | None = None
    """Operating system of the nodes; the service's default is Ubuntu 16.04 LTS."""
    user: User | None = None
    """Who may log in to the nodes, as administrator."""
    setup_task: SetupTask | None = None
    """Command that prepares each node before it takes jobs. On this machine it runs only where the
    context says `setup-task = "run"`, as the user who runs bai.
    """
    mounts: Table[str | Mount] = Table()
    """Path below $AZ_BATCHAI_MOUNT_ROOT -> volume that appears there on every node, in a line such
    as `azureFile://ACCOUNT/SHARE` or `file:DIRECTORY`, or in full.
    """
    performance_counters: PerformanceCounters | None = None
    """Application Insights component that the nodes report performance counters to."""
    subnet: str | None = None
    """ARM id of the subnet that the nodes belong to; by default that of a mounted file server, or
    the service's own.
    """
    storage_account: str | None = None
    """Name of the storage account of mounts that name none; by default the context's."""
    storage_key: str | Secret | None = None
    """Where the key of `storageAccount` lives; by default in the environment's
    AZURE_BATCHAI_STORAGE_KEY.
    """


class MachineMetadata(Part, model=_MachineMetadata):
    """Names of the cluster or file server and of what holds it."""

    name: str
    """Name of the cluster or file server, which jobs and mounts refer to."""
    workspace: str | None = None
    """Name of the workspace that holds it; by default the context's."""
    resource_group: str | None = None
    """Name of the Azure resource group that holds the workspace; by default the context's."""
    subscription: str | None = None
    """Id of the Azure subscription, a UUID; by default the context's."""
    location: str | None = None
    """Azure region of the workspace, `eastus` for example; by default the context's."""


class FileServerDocument(Document, model=_FileServerDocument):
    """A file server in a document of its own."""

    metadata: MachineMetadata
    """What the file server is called, and the workspace that holds it: `{name: nfs}`."""
    vm_size: str | None = None
    """Azure's name of the size of the machine: `STANDARD_DS2_V2`, for example. It has no meaning on
    this machine.
    """
    disks: Disks
    """Disks that hold the files: `{count: 2, size: 256g, type: premium}`."""
    user: User
    """Who may log in to the server, as administrator: `{name: me, password: env:NAME}`."""
    subnet: str | None = None
    """ARM id of the subnet that the server belongs to; by default the service makes one."""
    allow_ips: Sequence[str] | None = None
    """Source addresses or ranges that may log in over ssh, 400 at most, such as `[203.0.113.0/24]`;
    by default all.
    """


class Workspace(Document, model=_WorkspaceDocument):
    """A workspace, which holds clusters, file servers and experiments; all is in its metadata."""

    metadata: WorkspaceMetadata
    """What the workspace is called, where it lives, and its tags: `{name: vision}`."""


class WorkspaceMetadata(Part, model=_WorkspaceMetadata):
    """Names of the workspace and of what holds it, and its tags."""

    name: str
    """Name of the workspace, `vision` for example: it holds clusters, file servers and experiments.
    """
    resource_group: str | None = None
    """Name of the Azure resource group that holds the workspace; by default the context's."""
    subscription: str | None = None
    """Id of the Azure subscription, a UUID; by default the context's."""
    location: str | None = None
    """Azure region of the workspace, `eastus` for example; by default the context's."""
    tags: Table[Scalar] = Table()
    """Tags of the workspace, name -> text: `{team: vision}`."""
