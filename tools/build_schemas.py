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

ARGS = "Arguments for the script, as one command line."
PYTHON = "Interpreter that runs the script; the first python on the path if left out."
SCRIPT = "Python script that every process runs."
PROCESSES = "Number of processes in all; as many as nodes if left out."
SECRET = "Key Vault secret to read the value from instead."
MOUNT_PATH = "Where the volume appears: a path relative to the mount root."

# Type words: a name alone is a JSON type or another definition; [name] is a list; a|b|c are the
# values of a string. `!` behind a key makes it required, `?` behind a type allows an expression.
DEFINITIONS: dict[str, tuple[str, dict[str, tuple[str, str]]]] = {
    "AppInsightsReference": (
        "Where performance counters go.",
        {
            "component!": ("ResourceId?", "Application Insights component."),
            "instrumentationKey": ("string", "The component's instrumentation key."),
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
            "containerName!": ("string", "Container in the account."),
            "credentials!": (
                "AzureStorageCredentialsInfo?",
                "The account's key, or where to find it.",
            ),
            "relativeMountPath!": ("string", MOUNT_PATH),
            "mountOptions": ("string", "Options for blobfuse."),
        },
    ),
    "AzureFileShareReference": (
        "A file share to mount.",
        {
            "accountName!": ("string", "Name of the storage account."),
            "azureFileUrl!": ("string", "https://ACCOUNT.file.core.windows.net/SHARE."),
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
            "configFilePath": ("string", "Config file, instead of a script."),
            "pythonScriptFilePath": ("string", "Python script, instead of a config file."),
            "pythonInterpreterPath": ("string", PYTHON),
            "commandLineArgs": ("string", "Arguments, as one command line."),
            "processCount": ("integer?", PROCESSES),
        },
    ),
    "ChainerSettings": (
        "A Chainer job.",
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
            "configFilePath": ("string", "BrainScript config file."),
            "pythonScriptFilePath": ("string", "Python script, instead of a config file."),
            "pythonInterpreterPath": ("string", PYTHON),
            "commandLineArgs": ("string", "Arguments, as one command line."),
            "processCount": ("integer?", PROCESSES),
        },
    ),
    "ContainerSettings": (
        "The container that a job runs in.",
        {
            "imageSourceRegistry!": ("ImageSourceRegistry?", "Image and its registry."),
            "shmSize": ("string", "Size of /dev/shm as Docker writes it, such as 8g."),
        },
    ),
    "CustomMpiSettings": (
        "A command line in every process of an MPI job.",
        {
            "commandLine!": ("string", "Command line of each process."),
            "processCount": ("integer?", PROCESSES),
        },
    ),
    "CustomToolkitSettings": (
        "A command line, run once.",
        {"commandLine": ("string", "Command line, run on the first node.")},
    ),
    "DataDisks": (
        "Disks of a file server.",
        {
            "diskSizeInGB!": ("integer?", "Size of each disk in GB."),
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
        {"name!": ("string", "Its name."), "value!": ("string", "Its value.")},
    ),
    "EnvironmentVariableWithSecretValue": (
        "An environment variable whose value no answer of the service contains.",
        {
            "name!": ("string", "Its name."),
            "value": ("string", "Its value."),
            "valueSecretReference": ("KeyVaultSecretReference?", SECRET),
        },
    ),
    "FileServerReference": (
        "A file server to mount.",
        {
            "fileServer!": ("ResourceId?", "The file server."),
            "sourceDirectory": ("string", "Directory of the server; all of it if left out."),
            "relativeMountPath!": ("string", MOUNT_PATH),
            "mountOptions": ("string", "Options for mount."),
        },
    ),
    "HorovodSettings": (
        "A Horovod job.",
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
            "publisher!": ("string", "Publisher in the marketplace."),
            "offer!": ("string", "Offer of the publisher."),
            "sku!": ("string", "Variant of the offer."),
            "version": ("string", "Version; the latest if left out."),
            "virtualMachineImageId": (
                "string",
                "ARM id of a custom image; the other names say what it was made from.",
            ),
        },
    ),
    "ImageSourceRegistry": (
        "A container image and its registry.",
        {
            "serverUrl": ("string", "Registry; Docker's own if left out."),
            "image!": ("string", "Name of the image, full for a private registry."),
            "credentials": ("PrivateRegistryCredentials?", "Account of a private registry."),
        },
    ),
    "InputDirectory": (
        "A path that a job finds in AZ_BATCHAI_INPUT_<id>.",
        {
            "id!": ("string", "The <id> in the name of the variable."),
            "path!": ("string", "The path; the service's variables may stand in it."),
        },
    ),
    "JobBasePropertiesConstraints": (
        "Limits of a run.",
        {
            "maxWallClockTime": (
                "string",
                "Longest run, an ISO 8601 duration such as PT12H; P7D if left out.",
            ),
        },
    ),
    "JobPreparation": (
        "A step before the toolkit starts.",
        {"commandLine!": ("string", "Command line, run on every node of the job.")},
    ),
    "KeyVaultSecretReference": (
        "A secret in a Key Vault.",
        {
            "sourceVault!": ("ResourceId?", "The vault."),
            "secretUrl!": ("string", "Address of the secret."),
        },
    ),
    "ManualScaleSettings": (
        "A fixed number of nodes.",
        {
            "targetNodeCount!": ("integer?", "Number of nodes."),
            "nodeDeallocationOption": (
                "requeue|terminate|waitforjobcompletion?",
                "What becomes of jobs on nodes that go; requeue if left out.",
            ),
        },
    ),
    "MountVolumes": (
        "Volumes of a cluster or a job.",
        {
            "azureFileShares": ("[AzureFileShareReference]?", "File shares."),
            "azureBlobFileSystems": ("[AzureBlobFileSystemReference]?", "Blob containers."),
            "fileServers": ("[FileServerReference]?", "File servers."),
            "unmanagedFileSystems": ("[UnmanagedFileSystemReference]?", "All others."),
        },
    ),
    "NodeSetup": (
        "What is done to each node before it takes jobs.",
        {
            "setupTask": ("SetupTask?", "Command to run."),
            "mountVolumes": ("MountVolumes?", "Volumes below AZ_BATCHAI_MOUNT_ROOT."),
            "performanceCountersSettings": ("PerformanceCountersSettings?", "Counters to report."),
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
        {"appInsightsReference!": ("AppInsightsReference?", "Where they go.")},
    ),
    "PrivateRegistryCredentials": (
        "Account of a private registry.",
        {
            "username!": ("string", "User name."),
            "password": ("string", "Password."),
            "passwordSecretReference": ("KeyVaultSecretReference?", SECRET),
        },
    ),
    "PyTorchSettings": (
        "A PyTorch job.",
        {
            "pythonScriptFilePath!": ("string", SCRIPT),
            "pythonInterpreterPath": ("string", PYTHON),
            "commandLineArgs": ("string", ARGS),
            "processCount": ("integer?", PROCESSES),
            "communicationBackend": ("string", "TCP, Gloo or MPI, for distributed jobs."),
        },
    ),
    "ResourceId": ("A resource, by ARM id.", {"id!": ("string", "ARM id.")}),
    "ScaleSettings": (
        "Number of nodes: one of the two.",
        {
            "manual": ("ManualScaleSettings?", "A fixed number."),
            "autoScale": ("AutoScaleSettings?", "A number that follows the jobs."),
        },
    ),
    "SetupTask": (
        "A command run as root on each new or rebooted node; must be idempotent.",
        {
            "commandLine!": ("string", "Command line."),
            "environmentVariables": ("[EnvironmentVariable]?", "Variables of the command."),
            "secrets": ("[EnvironmentVariableWithSecretValue]?", "Variables with secret values."),
            "stdOutErrPathPrefix!": (
                "string",
                "Folder below a cluster mount for its stdout, stderr and log.",
            ),
        },
    ),
    "SshConfiguration": (
        "Who may log in.",
        {
            "publicIPsToAllow": ("[string]?", "Source addresses; all if left out, 400 at most."),
            "userAccountSettings!": ("UserAccountSettings?", "Administrator account."),
        },
    ),
    "TensorFlowSettings": (
        "A TensorFlow job: a master, workers and parameter servers.",
        {
            "pythonScriptFilePath!": ("string", SCRIPT),
            "pythonInterpreterPath": ("string", PYTHON),
            "masterCommandLineArgs": ("string", "Arguments in the master."),
            "workerCommandLineArgs": ("string", "Arguments in the workers."),
            "parameterServerCommandLineArgs": ("string", "Arguments in the parameter servers."),
            "workerCount": ("integer?", "Workers; as many as nodes if left out."),
            "parameterServerCount": ("integer?", "Parameter servers; 1 if left out."),
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
        "Administrator account of a node.",
        {
            "adminUserName!": ("string", "User name."),
            "adminUserSshPublicKey": ("string", "Public ssh key; it or a password is needed."),
            "adminUserPassword": ("string", "Password; it or an ssh key is needed."),
        },
    ),
    "VirtualMachineConfiguration": (
        "What nodes boot from.",
        {"imageReference": ("ImageReference?", "Operating system image.")},
    ),
}

# The properties of a file's root take no expressions.
ROOTS: dict[str, tuple[str, dict[str, tuple[str, str]]]] = {
    "job": (
        "Batch AI job file, api-version 2018-05-01",
        {
            "schedulingPriority": ("low|normal|high", "Place in the queue; normal if left out."),
            "cluster": ("ResourceId", "Cluster to run on."),
            "mountVolumes": ("MountVolumes", "Volumes below AZ_BATCHAI_JOB_MOUNT_ROOT."),
            "nodeCount": ("integer", "Number of nodes, taken all at once."),
            "containerSettings": (
                "ContainerSettings",
                "Container to run in; the node itself if left out.",
            ),
            "cntkSettings": ("CNTKsettings", "Run with Cognitive Toolkit."),
            "pyTorchSettings": ("PyTorchSettings", "Run with PyTorch."),
            "tensorFlowSettings": ("TensorFlowSettings", "Run with TensorFlow."),
            "caffeSettings": ("CaffeSettings", "Run with Caffe."),
            "caffe2Settings": ("Caffe2Settings", "Run with Caffe2."),
            "chainerSettings": ("ChainerSettings", "Run with Chainer."),
            "customToolkitSettings": ("CustomToolkitSettings", "Run a command."),
            "customMpiSettings": ("CustomMpiSettings", "Run a command under MPI."),
            "horovodSettings": ("HorovodSettings", "Run with Horovod."),
            "jobPreparation": ("JobPreparation", "Step before the toolkit starts."),
            "stdOutErrPathPrefix": ("string", "Folder below a mount for stdout, stderr and logs."),
            "inputDirectories": ("[InputDirectory]", "Named paths for the job to read."),
            "outputDirectories": ("[OutputDirectory]", "Directories for the job to write."),
            "environmentVariables": ("[EnvironmentVariable]", "Variables of the job."),
            "secrets": ("[EnvironmentVariableWithSecretValue]", "Variables with secret values."),
            "constraints": ("JobBasePropertiesConstraints", "Limits of the run."),
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
            "scaleSettings": ("ScaleSettings", "Number of nodes."),
            "virtualMachineConfiguration": ("VirtualMachineConfiguration", "Boot image."),
            "nodeSetup": ("NodeSetup", "Preparation of each node."),
            "userAccountSettings": ("UserAccountSettings", "Administrator account."),
            "subnet": ("ResourceId", "Subnet of the nodes."),
        },
    ),
    "fileServer": (
        "Batch AI file server file, api-version 2018-05-01",
        {
            "vmSize": ("string", "Size of the virtual machine, such as STANDARD_DS2_V2."),
            "sshConfiguration": ("SshConfiguration", "Access over ssh."),
            "dataDisks": ("DataDisks", "Data disks."),
            "subnet": ("ResourceId", "Subnet of the server."),
        },
    ),
}

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
        "properties": {"properties": object_schema("Settings of what is created.", properties)},
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
