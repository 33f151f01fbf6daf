"""Rules about container images."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule, without
from bai.linter.violation import Violation

_REGISTRY: Final = ("properties", "containerSettings", "imageSourceRegistry")
_IMAGE: Final = (*_REGISTRY, "image")
_SCHEMES: Final = ("docker://", "https://", "http://")
_PAGE: Final = r"hub\.docker\.com/(?:r/|_/)"

_COMMANDS: Final = r"(?:nvidia-)?docker|sudo|FROM|from|image:|pull|run"
"""Words of the commands and files that people copy an image from."""
_TWO_TAGS: Final = re.compile(r":[^/:@]*:[^/]*$")
_SHORT: Final = 3
"""Words of a command that ends with an image."""
_USUAL: Final = {"image": {"pattern": "^[a-z0-9._/-]+(?::[0-9]+/[a-z0-9._/-]+)?:[A-Za-z0-9._-]+$"}}
"""REPOSITORY:TAG"""


@rule("BAI323", Kind.JOB, keys=("image",), accepts=_USUAL)
def image_names(job: ResourceView) -> Iterator[Violation]:
    image = job.literal(*_IMAGE)
    if image and "$" not in image and (problem := _name_problem(image)):
        yield Violation(_IMAGE, *problem)


def _name_problem(image: str) -> tuple[str, str] | None:
    """Return message and hint about an image that Docker refuses."""
    if image.startswith(_SCHEMES):
        bare = re.sub(_PAGE, "", image.partition("://")[2]).rstrip("/")
        return f"Docker knows no image {image!r}: a name has no scheme", f"write {bare}"
    if len(image.split()) > 1:
        return _with_blanks(image)
    if _TWO_TAGS.search(image):
        return f"the image {image!r} has two tags", "write it as NAME:TAG"
    bare = _in_small_letters(image)
    if bare == image:
        return None
    return f"Docker refuses {image!r}: a repository's name has no capital letters", f"write {bare}"


def _with_blanks(image: str) -> tuple[str, str]:
    """Return message and hint for an image with blanks: maybe there is a command around it."""
    words = image.split()
    named = [word for word in words if ":" in word or "/" in word]
    message = f"Docker knows no image {image!r}: a name has no blanks"
    if not re.fullmatch(_COMMANDS, words[0]):
        return message, "write it as NAME:TAG"
    meant = named[0] if len(named) == 1 else words[-1] if len(words) <= _SHORT else "NAME:TAG"
    return message, f"write the image alone: {meant}"


def _in_small_letters(image: str) -> str:
    """Return an image's name with its repository in small letters."""
    server, slash, rest = image.partition("/")
    # Only a server has a dot or a port; hosts may have capital letters, and so may tags.
    if not slash or not ("." in server or ":" in server):
        server, slash, rest = "", "", image
    last = rest.rfind("/")
    ends = [at for mark in ":@" if (at := rest.find(mark, last + 1)) >= 0]
    end = min(ends, default=len(rest))
    return f"{server}{slash}{rest[:end].lower()}{rest[end:]}"


_TAGGED: Final = {"image": {**_USUAL["image"], **without(":latest$")}}


@rule("BAI312", Kind.JOB, keys=("image",), accepts=_TAGGED)
def image_tags(job: ResourceView) -> Iterator[Violation]:
    image = job.literal(*_IMAGE)
    # A digest names one image, and a variable may do so.
    if not image or "@" in image or "$" in image:
        return
    # Addresses and commands are reported (BAI323).
    if "://" in image or len(image.split()) > 1:
        return
    # The port of a registry stands before the last `/`, a tag behind it.
    _, _, tag = image.rpartition("/")[2].partition(":")
    if tag in ("", "latest"):
        what = "with the tag latest" if tag else "without a tag"
        message = f"the image {image!r} {what} may be another one tomorrow"
        yield Violation(_IMAGE, message, "name a version, as in NAME:1.8.0, or a digest")


_SOUND: Final = {
    "ImageSourceRegistry": {
        "anyOf": [
            {"properties": {"image": {"pattern": "^[a-z0-9-]*[.:][a-z0-9.:-]*/"}}},
            {"not": {"required": ["credentials"]}},
        ]
    }
}


@rule("BAI308", Kind.JOB, keys=("image",), accepts=_SOUND)
def private_image(job: ResourceView) -> Iterator[Violation]:
    image = job.text(*_IMAGE)
    if image is None or not job.mapping(*_REGISTRY, "credentials"):
        return
    host, slash, _ = image.partition("/")
    if not slash or not ("." in host or ":" in host or host == "localhost"):
        message = f"the image {image!r} does not name its registry"
        yield Violation(_IMAGE, message, "with credentials, write REGISTRY/NAME:TAG")
