"""Mount volumes, as clusters and jobs carry them."""

from __future__ import annotations

from bai.compiler.resources.base import ArmId, KeyVaultSecretReference, SecretText, WireModel


class AzureStorageCredentials(WireModel):
    """The key of a storage account, or where the service finds it (AzureStorageCredentialsInfo)."""

    account_key: SecretText | None = None
    account_key_secret_reference: KeyVaultSecretReference | None = None


class AzureFileShare(WireModel):
    """An Azure file share (AzureFileShareReference)."""

    account_name: str
    azure_file_url: str
    credentials: AzureStorageCredentials
    relative_mount_path: str
    file_mode: str | None = None
    directory_mode: str | None = None


class AzureBlobFileSystem(WireModel):
    """An Azure blob container (AzureBlobFileSystemReference)."""

    account_name: str
    container_name: str
    credentials: AzureStorageCredentials
    relative_mount_path: str
    mount_options: str | None = None


class FileServerMount(WireModel):
    """A Batch AI file server (FileServerReference)."""

    file_server: ArmId
    relative_mount_path: str
    source_directory: str | None = None
    mount_options: str | None = None


class UnmanagedFileSystem(WireModel):
    """A file system mounted by a command, to which the mount path is appended."""

    mount_command: str
    relative_mount_path: str


class MountVolumes(WireModel):
    """All the volumes of a cluster or a job."""

    azure_file_shares: list[AzureFileShare] | None = None
    azure_blob_file_systems: list[AzureBlobFileSystem] | None = None
    file_servers: list[FileServerMount] | None = None
    unmanaged_file_systems: list[UnmanagedFileSystem] | None = None
