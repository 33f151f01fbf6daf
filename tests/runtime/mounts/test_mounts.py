"""Volumes as links below a mount root."""

import pytest

from bai.runtime.errors import LaunchError
from bai.runtime.file_server_settings import FileServers, FileServerSettings
from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.drivers import Drivers
from bai.runtime.mounts.volumes import mounts, volumes
from bai.runtime.storage.storage import Storage


def share(path, name="data"):
    url = f"https://acc.file.core.windows.net/{name}"
    return {"accountName": "acc", "azureFileUrl": url, "relativeMountPath": path}


def volumes_of(folder, **wire):
    servers = FileServers(
        folder / "fileservers", {"kept": FileServerSettings("kept", folder=str(folder / "kept"))}
    )
    return volumes(wire, Storage(folder / "storage"), servers)


def test_every_kind_of_mount_shows_its_folder(tmp_path):
    (tmp_path / "own").mkdir()
    server = {"id": "/subscriptions/s/.../fileServers/nfs"}
    blob = {"accountName": "acc", "containerName": "c", "relativeMountPath": "blob"}
    own = {"mountCommand": f"mount --bind {tmp_path}/own", "relativeMountPath": "own"}
    listed = volumes_of(
        tmp_path,
        azureFileShares=[share("deep/er")],
        azureBlobFileSystems=[blob],
        fileServers=[{"fileServer": server, "sourceDirectory": "sub", "relativeMountPath": "nfs"}],
        unmanagedFileSystems=[own],
    )
    root = tmp_path / "root"
    Drivers(list).mount(mounts(root, listed))
    assert {path: (root / path).resolve() for path in ("deep/er", "blob", "nfs", "own")} == {
        "deep/er": tmp_path / "storage/acc/files/data",
        "blob": tmp_path / "storage/acc/blobs/c",
        "nfs": tmp_path / "fileservers/nfs/sub",
        "own": tmp_path / "own",
    }
    (root / "deep/er/kept").write_text("x")
    Drivers(list).unmount(mounts(root, listed))
    assert not (root / "deep/er").exists()
    assert (tmp_path / "storage/acc/files/data/kept").exists()


@pytest.mark.parametrize("path", ["../out", "a/../../out", "/etc", "", ".", "a/.."])
def test_no_mount_leaves_its_root(tmp_path, path):
    with pytest.raises(LaunchError, match="leaves the mount root"):
        volumes_of(tmp_path, azureFileShares=[share(path)])


@pytest.mark.parametrize(("one", "other"), [("a", "a"), ("a", "a/b"), ("a/b", "a"), ("./a", "a")])
def test_no_mount_hides_another(tmp_path, one, other):
    with pytest.raises(LaunchError, match="overlap"):
        volumes_of(tmp_path, azureFileShares=[share(one), share(other, "more")])


def test_mounts_stand_side_by_side(tmp_path):
    listed = volumes_of(tmp_path, azureFileShares=[share("a/b"), share("a/c"), share("ab")])
    Drivers(list).mount(mounts(tmp_path / "root", listed))
    assert sorted(path.name for path in (tmp_path / "root/a").iterdir()) == ["b", "c"]


def test_a_folder_that_stands_for_a_file_server_is_there_already(tmp_path):
    entry = {"fileServer": {"id": "x/kept"}, "sourceDirectory": "a/b", "relativeMountPath": "m"}
    [volume] = volumes_of(tmp_path, fileServers=[entry])
    assert (volume.folder, volume.made) == (tmp_path / "kept/a/b", False)
    with pytest.raises(LaunchError, match="kept/a/b of mount m is missing"):
        Drivers(list).mount(mounts(tmp_path / "root", [volume]))


def test_a_file_server_s_directory_does_not_lead_out_of_it(tmp_path):
    entry = {"fileServer": {"id": "x/nfs"}, "sourceDirectory": "../..", "relativeMountPath": "m"}
    with pytest.raises(LaunchError, match="leads out"):
        volumes_of(tmp_path, fileServers=[entry])


def test_other_mount_commands_are_refused(tmp_path):
    entry = {"mountCommand": "mount -t nfs host:/x", "relativeMountPath": "m"}
    found = volumes_of(tmp_path, unmanagedFileSystems=[entry])
    with pytest.raises(LaunchError, match="does not run the mount command"):
        mounts(tmp_path / "root", found)


def test_a_missing_directory_of_the_user_s_is_named(tmp_path):
    entry = {"mountCommand": f"mount --bind {tmp_path}/none", "relativeMountPath": "m"}
    with pytest.raises(LaunchError, match="none of mount m is missing"):
        Drivers(list).mount(
            mounts(tmp_path / "root", volumes_of(tmp_path, unmanagedFileSystems=[entry]))
        )


def test_what_a_job_put_in_place_of_a_mount_stays(tmp_path):
    listed = volumes_of(tmp_path, azureFileShares=[share("m")])
    Drivers(list).mount(mounts(tmp_path / "root", listed))
    (tmp_path / "root/m").unlink()
    (tmp_path / "root/m").mkdir()
    Drivers(list).unmount(mounts(tmp_path / "root", listed))
    assert (tmp_path / "root/m").is_dir()


def test_a_mount_that_this_node_has_no_driver_for():
    with pytest.raises(LaunchError, match="no driver 'tape' for the mount data"):
        Drivers(list).mount([Mount("data", "/root/data", "server:/data", driver="tape")])
