"""Command lines of podman and docker.

They take the same ones, but for a few options. No value of a variable is in them, for every user
of a machine can read the command lines there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

PROGRAMS: Final = ("podman", "docker")
"""In the order in which they are looked for."""

ATTEMPT_LABEL: Final = "bai.attempt"
"""The label of containers that says which attempt they belong to."""

_NO_IMAGE: Final = "no such image"
_ABSENT: Final = ("no such container", "no container with name or id", "is already in progress")


@dataclass(frozen=True, slots=True)
class Bind:
    """A file or folder of a node that is at the same path in its container."""

    path: str
    source: str = ""
    """Where it is on the node, if that is another path."""
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class ContainerProgram:
    """podman or docker."""

    name: str
    """`podman` or `docker`; maybe with its path."""

    @property
    def is_docker(self) -> bool:
        """Whether it is docker, whose containers are children of a daemon."""
        return PurePath(self.name).name == "docker"

    def has_image(self, image: str) -> list[str]:
        """Return what ends with 0 if the image is on the machine."""
        if self.is_docker:
            return [self.name, "image", "inspect", "--format", "{{.Id}}", image]
        return [self.name, "image", "exists", image]

    def trouble(self, code: int, said: str) -> str:
        """Return why `has_image` could not tell; empty if it could.

        Args:
            code: its exit code.
            said: its error output.
        """
        is_told = code in (0, 1) if not self.is_docker else not code or _NO_IMAGE in said.lower()
        lines = said.strip().splitlines()
        return "" if is_told else lines[-1].strip() if lines else f"exit code {code}"

    def pull(self, image: str, account: PurePath | None) -> list[str]:
        """Return what pulls an image.

        Args:
            image: its name, with its registry.
            account: the folder of a file `config.json` with an account; None without one.
        """
        if self.is_docker:
            options = ["--config", str(account)] if account else []
            return [self.name, *options, "pull", "--quiet", image]
        options = ["--authfile", str(account / "config.json")] if account else []
        return [self.name, "pull", "--quiet", *options, image]

    def run(
        self,
        name: str,
        image: str,
        command: Sequence[str],
        binds: Sequence[Bind],
        attempt: str,
        *,
        user: str,
        variables: Collection[str],
        shm_size: str | None,
        gpus: bool,
    ) -> list[str]:
        """Return what starts a container in the background.

        Args:
            name: the container's.
            image: one that is on the machine.
            command: what its first process runs.
            binds: what it shares with the machine.
            attempt: the uuid that it is labelled with.
            user: the ids of the user and the group of its processes.
            variables: names of variables that it takes from the environment of this command.
            shm_size: size of /dev/shm; None for the default.
            gpus: whether it gets the NVIDIA GPUs.
        """
        program, *arguments = command
        options = ["--name", name, "--label", f"{ATTEMPT_LABEL}={attempt}", "--rm", "--detach"]
        # Ranks meet on the addresses of their machines, and on loopback.
        options += ["--network", "host", "--pull", "never", "--user", user, "--workdir", "/"]
        options += ["--log-driver", "none", "--pids-limit", "-1"]
        # With SELinux, folders of the machine are to stay as they are labelled.
        options += ["--security-opt", "label=disable"]
        options += [word for name in variables for word in ("--env", name)]
        options += ["--shm-size", shm_size] if shm_size else []
        if gpus:
            cdi = ["--device", "nvidia.com/gpu=all"]
            options += ["--gpus", "all"] if self.is_docker else cdi
        options += [word for bind in binds for word in ("--mount", _mount(bind))]
        return [self.name, "run", *options, "--entrypoint", program, image, *arguments]

    def execute(self, name: str, user: str, command: Sequence[str]) -> list[str]:
        """Return what runs a command in a container that runs."""
        return [self.name, "exec", "--user", user, name, *command]

    def remove(self, name: str) -> list[str]:
        """Return what ends and removes a container."""
        time = [] if self.is_docker else ["--time", "0"]
        return [self.name, "rm", "--force", *time, name]

    def is_absent(self, said: str) -> bool:
        """Return whether the error output of `remove` means that there is no such container.

        One that was started with `--rm` may be removing itself already.
        """
        return any(words in said.lower() for words in _ABSENT)


def _mount(bind: Bind) -> str:
    mode = ",readonly" if bind.read_only else ""
    return f"type=bind,source={bind.source or bind.path},target={bind.path}{mode}"
