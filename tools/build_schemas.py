"""Write schemas/2018-05-01/*.json from the table below.

The published schemas leave much to say by hand (every nested number, list and object may also be an
ARM template expression) and two of them are not valid JSON Schema. One table keeps the three files
alike. Verdicts agree with the published files on every document; the tests compare them.

    python tools/build_schemas.py            write the files
    python tools/build_schemas.py --check    exit 1 if a file is not current
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "schemas" / "2018-05-01"

ARGS = "Arguments for the script, as one command line: --epochs 10 --lr 0.1."
PYTHON = "Interpreter that runs the script; the first python on the path if left out."
SCRIPT = "Path of the Python script, as nodes see it: $AZ_BATCHAI_JOB_MOUNT_ROOT/code/train.py."
PROCESSES = "Number of processes in all; as many as nodes if left out."
SECRET = "Key Vault secret that holds it, instead of writing it here."
MOUNT_PATH = "Where the volume appears: a path below the mount root, such as data."

# Type words: a name alone is a JSON type or another definition; [name] is a list; a|b|c are the
# values of a string. `!` behind a key makes it required, `?` behind a type allows an expression.
DEFINITIONS: dict[str, tuple[str, dict[str, tuple[str, str]]]] = {
    "AppInsightsReference": (
        "Where performance counters go.",
        {
            "component!": ("ResourceId?", "Application Insights component, by ARM id."),
            "instrumentationKey": ("string", "The component's instrumentation key, a UUID."),
            "instrumentationKeySecretReference": ("KeyVaultSecretReference?", SECRET),
        },
    ),
    "AutoScaleSettings": (
        "A number of nodes that follows queued and running jobs.",
        {
            "minimumNodeCount!": ("integer?", "Fewest nodes to keep, also without jobs; may be 0."),
            "maximumNodeCount!": ("integer?", "Most nodes to grow to."),
            "initialNodeCount": ("integer?", "Nodes to begin with; 0 if left out."),
        },
    ),
    "AzureBlobFileSystemReference": (
        "A blob container to mount.",
        {
            "accountName!": ("string", "Name of the storage account."),
            "containerName!": (
                "string",
                "Blob container in the account; it is mounted as a whole.",
            ),
            "credentials!": (
                "AzureStorageCredentialsInfo?",
                "The account's key, or where to find it.",
            ),
            "relativeMountPath!": ("string", MOUNT_PATH),
            "mountOptions": ("string", "Options for blobfuse, such as -o allow_other."),
        },
    ),
    "AzureFileShareReference": (
        "A file share to mount.",
        {
            "accountName!": ("string", "Name of the storage account."),
            "azureFileUrl!": (
                "string",
                "Address of the share: https://ACCOUNT.file.core.windows.net/SHARE.",
            ),
            "credentials!": (
                "AzureStorageCredentialsInfo?",
                "The account's key, or where to find it.",
            ),
            "relativeMountPath!": ("string", MOUNT_PATH),
            "fileMode": ("string", "Mode of files, octal; 0777 if left out."),
            "directoryMode": ("string", "Mode of directories, octal; 0777 if left out."),
        },
    ),
    "AzureStorageCredentialsInfo": (
        "A storage account's key, or where to find it.",
        {
            "accountKey": ("string", "The key itself; no answer contains it."),
            "accountKeySecretReference": ("KeyVaultSecretReference?", SECRET),
        },
    ),
    "Caffe2Settings": (
        "A Caffe2 job: one process on each node.",
        {
            "pythonScriptFilePath!": ("string", SCRIPT),
            "pythonInterpreterPath": ("string", PYTHON),
            "commandLineArgs": ("string", ARGS),
        },
    ),
    "CaffeSettings": (
        "A Caffe job: a solver's config file or a Python script.",
        {
            "configFilePath": ("string", "Path of the solver's config file, instead of a script."),
            "pythonScriptFilePath": (
                "string",
                "Path of a Python script, instead of a config file.",
            ),
            "pythonInterpreterPath": ("string", PYTHON),
            "commandLineArgs": ("string", "Arguments, as one command line."),
            "processCount": ("integer?", PROCESSES),
        },
    ),
    "ChainerSettings": (
        "A Chainer job: every process runs the script, under MPI.",
        {
            "pythonScriptFilePath!": ("string", SCRIPT),
            "pythonInterpreterPath": ("string", PYTHON),
            "commandLineArgs": ("string", ARGS),
            "processCount": ("integer?", PROCESSES),
        },
    ),
    "CNTKsettings": (
        "A Cognitive Toolkit job: BrainScript or Python.",
        {
            "languageType": ("string", "Language of the model: BrainScript or Python."),
            "configFilePath": ("string", "Path of a BrainScript config file, instead of a script."),
            "pythonScriptFilePath": (
                "string",
                "Path of a Python script, instead of a config file.",
            ),
            "pythonInterpreterPath": ("string", PYTHON),
            "commandLineArgs": ("string", "Arguments, as one command line."),
            "processCount": ("integer?", PROCESSES),
        },
    ),
    "ContainerSettings": (
        "The container that a job runs in.",
        {
            "imageSourceRegistry!": (
                "ImageSourceRegistry?",
                "Image, and the registry that has it.",
            ),
            "shmSize": (
                "string",
                "Size of /dev/shm as Docker writes it, such as 8g; 64m if left out.",
            ),
        },
    ),
    "CustomMpiSettings": (
        "A command line in every process of an MPI job.",
        {
            "commandLine!": ("string", "Command line of each process, such as python train.py."),
            "processCount": ("integer?", PROCESSES),
        },
    ),
    "CustomToolkitSettings": (
        "A command line, run once.",
        {"commandLine": ("string", "Command line, run on the first node, such as bash run.sh.")},
    ),
    "DataDisks": (
        "Disks of a file server.",
        {
            "diskSizeInGB!": ("integer?", "Size of each disk in GB, such as 256."),
            "cachingType": (
                "none|readonly|readwrite?",
                "Caching, on sizes with premium storage; none if left out.",
            ),
            "diskCount!": ("integer?", "Number of disks; several become one RAID 0."),
            "storageAccountType!": (
                "Standard_LRS|Premium_LRS?",
                "Kind of storage; Premium_LRS only on sizes that have it.",
            ),
        },
    ),
    "EnvironmentVariable": (
        "An environment variable.",
        {
            "name!": ("string", "Name of the variable, such as OMP_NUM_THREADS."),
            "value!": ("string", "Text that the variable gets; numbers too are in quotes."),
        },
    ),
    "EnvironmentVariableWithSecretValue": (
        "An environment variable whose value no answer of the service contains.",
        {
            "name!": ("string", "Name of the variable, such as API_TOKEN."),
            "value": ("string", "Secret text that the variable gets; no answer contains it."),
            "valueSecretReference": ("KeyVaultSecretReference?", SECRET),
        },
    ),
    "FileServerReference": (
        "A file server to mount.",
        {
            "fileServer!": ("ResourceId?", "File server to mount, by ARM id."),
            "sourceDirectory": (
                "string",
                "Directory on the server to mount; all of it if left out.",
            ),
            "relativeMountPath!": ("string", MOUNT_PATH),
            "mountOptions": ("string", "Options for mount -o, such as rw."),
        },
    ),
    "HorovodSettings": (
        "A Horovod job: every process runs the script.",
        {
            "pythonScriptFilePath!": ("string", SCRIPT),
            "pythonInterpreterPath": ("string", PYTHON),
            "commandLineArgs": ("string", ARGS),
            "processCount": ("integer?", PROCESSES),
        },
    ),
    "ImageReference": (
        "An operating system image.",
        {
            "publisher!": (
                "string",
                "Who publishes the image in Azure's marketplace, such as Canonical.",
            ),
            "offer!": ("string", "Name of the publisher's offer, such as UbuntuServer."),
            "sku!": ("string", "Variant of the offer, such as 16.04-LTS."),
            "version": ("string", "Version of the image; the latest if left out."),
            "virtualMachineImageId": (
                "string",
                "ARM id of a custom image; the other names say what it was made from.",
            ),
        },
    ),
    "ImageSourceRegistry": (
        "A container image and its registry.",
        {
            "serverUrl": (
                "string",
                "Address of the registry, such as me.azurecr.io; Docker Hub if left out.",
            ),
            "image!": (
                "string",
                "Name of the image; in a private registry with the server: me.azurecr.io/train:3.",
            ),
            "credentials": (
                "PrivateRegistryCredentials?",
                "User name and password of a private registry.",
            ),
        },
    ),
    "InputDirectory": (
        "A path that a job finds in AZ_BATCHAI_INPUT_<id>.",
        {
            "id!": ("string", "The <id> in the name of the variable."),
            "path!": ("string", "Path to read, such as $AZ_BATCHAI_JOB_MOUNT_ROOT/data."),
        },
    ),
    "JobBasePropertiesConstraints": (
        "The limit of a run.",
        {
            "maxWallClockTime": (
                "string",
                "Longest run, an ISO 8601 duration such as PT12H; P7D if left out.",
            ),
        },
    ),
    "JobPreparation": (
        "A step before the toolkit starts.",
        {
            "commandLine!": (
                "string",
                "Command line, run on every node of the job before the toolkit.",
            )
        },
    ),
    "KeyVaultSecretReference": (
        "A secret in a Key Vault.",
        {
            "sourceVault!": ("ResourceId?", "Key Vault that holds the secret, by ARM id."),
            "secretUrl!": (
                "string",
                "Address of the secret: https://VAULT.vault.azure.net/secrets/NAME/VERSION.",
            ),
        },
    ),
    "ManualScaleSettings": (
        "A fixed number of nodes.",
        {
            "targetNodeCount!": ("integer?", "Number of nodes to keep, such as 2; may be 0."),
            "nodeDeallocationOption": (
                "requeue|terminate|waitforjobcompletion?",
                "What becomes of jobs on nodes that go; requeue if left out.",
            ),
        },
    ),
    "MountVolumes": (
        "Volumes of a cluster or a job.",
        {
            "azureFileShares": (
                "[AzureFileShareReference]?",
                "Azure file shares to mount, each at its path.",
            ),
            "azureBlobFileSystems": (
                "[AzureBlobFileSystemReference]?",
                "Azure blob containers to mount, each at its path.",
            ),
            "fileServers": (
                "[FileServerReference]?",
                "Batch AI file servers to mount, each at its path.",
            ),
            "unmanagedFileSystems": (
                "[UnmanagedFileSystemReference]?",
                "Other file systems, each mounted by a command.",
            ),
        },
    ),
    "NodeSetup": (
        "What is done to each node before it takes jobs.",
        {
            "setupTask": ("SetupTask?", "Command to run as root on each node."),
            "mountVolumes": (
                "MountVolumes?",
                "Volumes of each node, which appear below AZ_BATCHAI_MOUNT_ROOT.",
            ),
            "performanceCountersSettings": (
                "PerformanceCountersSettings?",
                "Where nodes report performance counters.",
            ),
        },
    ),
    "OutputDirectory": (
        "A directory made for a job, found in AZ_BATCHAI_OUTPUT_<id>.",
        {
            "id!": ("string", "The <id> in the name of the variable."),
            "pathPrefix!": ("string", "Folder below a mount; the job's own segment follows it."),
            "pathSuffix": ("string", "Last part of its path, behind the job's own segment."),
        },
    ),
    "PerformanceCountersSettings": (
        "Reporting of performance counters.",
        {
            "appInsightsReference!": (
                "AppInsightsReference?",
                "Application Insights component that takes them, and its key.",
            )
        },
    ),
    "PrivateRegistryCredentials": (
        "Account of a private registry.",
        {
            "username!": ("string", "User name in the registry."),
            "password": ("string", "Password in the registry; no answer contains it."),
            "passwordSecretReference": ("KeyVaultSecretReference?", SECRET),
        },
    ),
    "PyTorchSettings": (
        "A PyTorch job: every process runs the script.",
        {
            "pythonScriptFilePath!": ("string", SCRIPT),
            "pythonInterpreterPath": ("string", PYTHON),
            "commandLineArgs": ("string", ARGS),
            "processCount": ("integer?", PROCESSES),
            "communicationBackend": ("string", "TCP, Gloo or MPI, for distributed jobs."),
        },
    ),
    "ResourceId": (
        "A resource, by ARM id.",
        {"id!": ("string", "ARM id of the resource: /subscriptions/ID/resourceGroups/NAME/...")},
    ),
    "ScaleSettings": (
        "Number of nodes: one of the two.",
        {
            "manual": ("ManualScaleSettings?", "A fixed number of nodes."),
            "autoScale": ("AutoScaleSettings?", "A number of nodes that follows the jobs."),
        },
    ),
    "SetupTask": (
        "A command run as root on each new or rebooted node; must be idempotent.",
        {
            "commandLine!": (
                "string",
                "Command line, run by bash, such as apt-get install -y git.",
            ),
            "environmentVariables": (
                "[EnvironmentVariable]?",
                "Environment variables of the command.",
            ),
            "secrets": (
                "[EnvironmentVariableWithSecretValue]?",
                "Environment variables whose values no answer contains.",
            ),
            "stdOutErrPathPrefix!": (
                "string",
                "Folder for its stdout and stderr: $AZ_BATCHAI_MOUNT_ROOT/PATH of a mount.",
            ),
        },
    ),
    "SshConfiguration": (
        "Who may log in.",
        {
            "publicIPsToAllow": (
                "[string]?",
                "Source addresses or ranges, 400 at most; all if left out.",
            ),
            "userAccountSettings!": (
                "UserAccountSettings?",
                "Name of the administrator, and an ssh key or a password.",
            ),
        },
    ),
    "TensorFlowSettings": (
        "A TensorFlow job: a master, workers and parameter servers.",
        {
            "pythonScriptFilePath!": ("string", SCRIPT),
            "pythonInterpreterPath": ("string", PYTHON),
            "masterCommandLineArgs": (
                "string",
                "Arguments of the script in the master, as one command line.",
            ),
            "workerCommandLineArgs": (
                "string",
                "Arguments of the script in the workers, as one command line.",
            ),
            "parameterServerCommandLineArgs": (
                "string",
                "Arguments of the script in the parameter servers, as one command line.",
            ),
            "workerCount": ("integer?", "Number of workers; as many as nodes if left out."),
            "parameterServerCount": ("integer?", "Number of parameter servers; 1 if left out."),
        },
    ),
    "UnmanagedFileSystemReference": (
        "A file system that a command mounts.",
        {
            "mountCommand!": ("string", "Mount command; the mount path is appended."),
            "relativeMountPath!": ("string", MOUNT_PATH),
        },
    ),
    "UserAccountSettings": (
        "Name of a machine's administrator, and an ssh key or a password.",
        {
            "adminUserName!": ("string", "User name of the administrator."),
            "adminUserSshPublicKey": ("string", "Public ssh key; it or a password is needed."),
            "adminUserPassword": ("string", "Password; it or an ssh key is needed."),
        },
    ),
    "VirtualMachineConfiguration": (
        "What nodes boot from.",
        {
            "imageReference": (
                "ImageReference?",
                "Operating system image; Ubuntu 16.04 LTS if left out.",
            )
        },
    ),
}

# The properties of a file's root take no expressions.
ROOTS: dict[str, tuple[str, dict[str, tuple[str, str]]]] = {
    "job": (
        "Batch AI job file, api-version 2018-05-01",
        {
            "schedulingPriority": ("low|normal|high", "Place in the queue; normal if left out."),
            "cluster": ("ResourceId", "Cluster to run on, by ARM id."),
            "mountVolumes": (
                "MountVolumes",
                "Volumes of the job, which appear below AZ_BATCHAI_JOB_MOUNT_ROOT.",
            ),
            "nodeCount": (
                "integer",
                "Number of nodes, such as 2; all must be free before the job starts.",
            ),
            "containerSettings": (
                "ContainerSettings",
                "Container to run in; the node itself if left out.",
            ),
            "cntkSettings": (
                "CNTKsettings",
                "Run a config file or a script with Cognitive Toolkit.",
            ),
            "pyTorchSettings": ("PyTorchSettings", "Run a Python script with PyTorch."),
            "tensorFlowSettings": ("TensorFlowSettings", "Run a Python script with TensorFlow."),
            "caffeSettings": ("CaffeSettings", "Run a config file or a script with Caffe."),
            "caffe2Settings": ("Caffe2Settings", "Run a Python script with Caffe2."),
            "chainerSettings": ("ChainerSettings", "Run a Python script with Chainer."),
            "customToolkitSettings": ("CustomToolkitSettings", "Run a command line once."),
            "customMpiSettings": (
                "CustomMpiSettings",
                "Run a command line in every process of an MPI job.",
            ),
            "horovodSettings": ("HorovodSettings", "Run a Python script with Horovod."),
            "jobPreparation": (
                "JobPreparation",
                "Command to run on every node before the toolkit starts.",
            ),
            "stdOutErrPathPrefix": (
                "string",
                "Folder for stdout, stderr and logs: $AZ_BATCHAI_JOB_MOUNT_ROOT/PATH of a mount.",
            ),
            "inputDirectories": (
                "[InputDirectory]",
                "Paths to read, each found in AZ_BATCHAI_INPUT_<id>.",
            ),
            "outputDirectories": (
                "[OutputDirectory]",
                "Directories to write, each found in AZ_BATCHAI_OUTPUT_<id>.",
            ),
            "environmentVariables": ("[EnvironmentVariable]", "Environment variables of the job."),
            "secrets": (
                "[EnvironmentVariableWithSecretValue]",
                "Environment variables whose values no answer contains.",
            ),
            "constraints": ("JobBasePropertiesConstraints", "Longest time that the job may run."),
        },
    ),
    "cluster": (
        "Batch AI cluster file, api-version 2018-05-01",
        {
            "vmSize": ("string", "Size of each virtual machine, such as STANDARD_NC6."),
            "vmPriority": (
                "dedicated|lowpriority",
                "lowpriority machines cost less and can be taken away; dedicated if left out.",
            ),
            "scaleSettings": ("ScaleSettings", "Number of nodes: fixed, or following the jobs."),
            "virtualMachineConfiguration": (
                "VirtualMachineConfiguration",
                "Operating system of the nodes.",
            ),
            "nodeSetup": ("NodeSetup", "Volumes and setup command of each node."),
            "userAccountSettings": ("UserAccountSettings", "Who may log in to the nodes."),
            "subnet": ("ResourceId", "Subnet that the nodes belong to, by ARM id."),
        },
    ),
    "fileServer": (
        "Batch AI file server file, api-version 2018-05-01",
        {
            "vmSize": ("string", "Size of the virtual machine, such as STANDARD_DS2_V2."),
            "sshConfiguration": ("SshConfiguration", "Who may log in over ssh, and from where."),
            "dataDisks": ("DataDisks", "Disks that hold the files."),
            "subnet": ("ResourceId", "Subnet that the server belongs to, by ARM id."),
        },
    ),
}

PROPERTIES = {
    "job": "The job: nodes, paths, and one toolkit such as horovodSettings.",
    "cluster": "The cluster: size and number of its machines, and what they mount.",
    "fileServer": "The file server: its machine, its disks and who may log in.",
}
"""Kind of file -> what its `properties` hold."""

EXPRESSION = {
    "description": "An ARM template expression.",
    "type": "string",
    "pattern": r"^\[([^\[].*)?\]$",
}
JSON_TYPES = ("string", "integer")


def value_schema(words: str) -> dict[str, Any]:
    """Return the schema that a type word stands for."""
    if words.endswith("?"):
        return {"oneOf": [value_schema(words[:-1]), {"$ref": "#/definitions/expression"}]}
    if words.startswith("["):
        return {"type": "array", "items": value_schema(words[1:-1])}
    if "|" in words:
        return {"type": "string", "enum": words.split("|")}
    if words in JSON_TYPES:
        return {"type": words}
    return {"$ref": f"#/definitions/{words}"}


def object_schema(title: str, properties: dict[str, tuple[str, str]]) -> dict[str, Any]:
    """Return the schema of one mapping."""
    schema: dict[str, Any] = {"description": title, "type": "object", "properties": {}}
    for key, (words, description) in properties.items():
        schema["properties"][key.rstrip("!")] = {"description": description, **value_schema(words)}
    if required := [key[:-1] for key in properties if key.endswith("!")]:
        schema["required"] = required
    return schema


def reachable(properties: dict[str, tuple[str, str]]) -> set[str]:
    """Return the names of the definitions that some properties need."""
    found: set[str] = set()
    for words, _ in properties.values():
        name = words.strip("[]?")
        if name in DEFINITIONS and name not in found:
            found |= {name} | reachable(DEFINITIONS[name][1])
    return found


def build(kind: str) -> str:
    """Return the text of one schema file."""
    title, properties = ROOTS[kind]
    needed = reachable(properties)
    definitions = {
        name: object_schema(*entry) for name, entry in DEFINITIONS.items() if name in needed
    }
    schema = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "title": title,
        "properties": {"properties": object_schema(PROPERTIES[kind], properties)},
        "definitions": {"expression": EXPRESSION, **definitions},
    }
    return json.dumps(schema, indent=2) + "\n"


def main() -> int:
    """Write or check every file."""
    stale = 0
    for kind in ROOTS:
        path, text = FOLDER / f"{kind}.json", build(kind)
        if "--check" in sys.argv[1:]:
            if not path.exists() or path.read_text() != text:
                print(f"{path} is not current: run python tools/build_schemas.py")
                stale = 1
        else:
            path.write_text(text)
    return stale


if __name__ == "__main__":
    sys.exit(main())
