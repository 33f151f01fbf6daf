"""What the processes of a job require: programs that are installed, and no secrets in arguments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bai.runtime.jobs.paths import names_in

MPIRUN: Final = "mpirun"
MPIRUN_PACKAGE: Final = "openmpi-bin"
"""The package of Debian and Ubuntu that has it."""


def no_horovod(python: str) -> str:
    """Return the message for an interpreter without Horovod."""
    return (
        f"Horovod is not installed for {python}: in a checkout of bai, build it for PyTorch with "
        f'`{python} -m pip install "$({python} tools/horovod_wheel.py --with torch)"`, for '
        "TensorFlow with `--with tensorflow`; or choose another interpreter (`python` of the "
        "toolkit or of the context)"
    )


def no_horovod_inside(python: str, image: str) -> str:
    """Return the message for the interpreter of a container without Horovod."""
    return (
        f"Horovod is not installed for {python} in the container: install it in the image {image}, "
        "or in the job's preparation; examples/resnet50-imagenet/Dockerfile builds an image with it"
    )


def named_secret(text: str, secrets: Iterable[str]) -> str | None:
    """Return the first of the secrets that `text` names as `$NAME` or `${NAME}`, or None."""
    names = names_in(text)
    return next((name for name in secrets if name in names), None)


def shown_secret(name: str) -> str:
    """Return the sentence for a command line that names a secret."""
    return (
        f"the command line names the secret {name}, and every user of the machine can "
        f"read command lines: let the script read {name} from its environment"
    )
