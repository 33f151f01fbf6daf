"""What runs the containers of jobs on this machine, and what keeps a job from having one."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from bai.compiler.resources.resource import Resource
from bai.runtime.containers.images import LOCAL, registry_of
from bai.runtime.containers.program import PROGRAMS, ContainerProgram
from bai.runtime.containers.settings import ContainerSettings, container_settings
from bai.runtime.engines.local.file_checks import finding_at
from bai.runtime.engines.local.settings import EngineSettings
from bai.runtime.errors import SecretError
from bai.runtime.secrets import registry_password
from bai.specs.findings import Finding
from bai.specs.findings import Path as WirePath

_REGISTRY: Final[WirePath] = ("properties", "containerSettings", "imageSourceRegistry")
_IMAGE: Final[WirePath] = (*_REGISTRY, "image")
_SECONDS: Final = 30.0
"""How long the program may take to answer."""

_WITHOUT: Final = (
    "add --without-containers to run it outside its image; "
    "in Python: limits=bai.Limits(without_containers=True)"
)


def program(settings: EngineSettings) -> str:
    """Return what runs containers; empty if the context has them off.

    The first of what there is, where there is nothing.
    """
    if settings.containers == "none":
        return ""
    if settings.containers != "auto":
        return settings.containers
    return next(filter(shutil.which, PROGRAMS), PROGRAMS[0])


def mapped_image(properties: Mapping[str, Any], settings: EngineSettings) -> str | None:
    """Return the sentence about the image that takes the place of a job's; None if none does."""
    container = container_settings(properties, program(settings), settings.images)
    if container is None or container.wanted not in settings.images:
        return None
    return f"image {container.wanted} -> {container.image}, by images in bai.toml"


def check_container(resource: Resource, settings: EngineSettings) -> Iterator[Finding]:
    """Iterate over what keeps a job from running in its container."""
    wire = resource.to_wire()
    container = container_settings(wire["properties"], program(settings), settings.images)
    if container is None:
        return
    heading = f"[contexts.{settings.context}.engine] in bai.toml"
    if not container.program:
        message = f'jobs in containers do not run here: containers = "none" below {heading}'
        yield finding_at(resource, _IMAGE, "BAI803", message, f"change that, or {_WITHOUT}")
    elif not shutil.which(container.program):
        what = (
            "neither podman nor docker is"
            if settings.containers == "auto"
            else (f"{container.program}, which {heading} names, is not")
        )
        message = f"the job runs in a container, and {what} installed"
        hint = f"install it: apt install podman; or {_WITHOUT}"
        yield finding_at(resource, _IMAGE, "BAI803", message, hint)
    else:
        yield from _check_image(resource, wire, container, f"images below {heading}")


def _check_image(
    resource: Resource, wire: Mapping[str, Any], container: ContainerSettings, images: str
) -> Iterator[Finding]:
    is_there, reason = _has_image(container.program, container.image)
    if is_there:
        return
    if reason:
        message = f"{container.program} does not work: {reason}"
        hint = f"correct that (`{container.program} info`), or {_WITHOUT}"
        yield finding_at(resource, _IMAGE, "BAI803", message, hint)
    elif registry_of(container.image) == LOCAL:
        message = f"there is no image {container.image} on this machine"
        if container.image != container.wanted:
            message += f", which takes the place of {container.wanted} by {images}"
        hint = f"build it: {container.program} build -t {container.image} FOLDER; or {_WITHOUT}"
        yield finding_at(resource, _IMAGE, "BAI803", message, hint)
    elif container.username:
        try:
            registry_password(wire)
        except SecretError as error:
            at: WirePath = (*_REGISTRY, "credentials", "password")
            yield finding_at(resource, at, "BAI604", str(error))


@cache
def _has_image(name: str, image: str) -> tuple[bool, str]:
    """Return whether an image is on this machine, and why that can't be told."""
    container_program = ContainerProgram(name)
    try:
        done = subprocess.run(
            container_program.has_image(image),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False, f"it gives no answer in {_SECONDS:.0f} s"
    except OSError as error:
        return False, str(error.strerror)
    return done.returncode == 0, container_program.trouble(done.returncode, done.stderr)
