"""Documents for processes that outlive a command: versioned JSON, written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from bai.runtime.errors import StateError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")


def run_file(folder: Path, run: int) -> Path:
    """Return the path of the document that says what a run is, in the folder of its journal."""
    return folder / f"run-{run}.json"


def write_document(path: Path, data: Mapping[str, Any]) -> None:
    """Write a document, with its `version`, all of it or nothing.

    Raises:
        OSError: it can't be written.
    """
    text = json.dumps(data)
    # Another process may write the same document at the same time.
    written = path.with_name(f"{path.name}.{uuid4().hex}")
    written.write_text(text, "utf-8")
    written.replace(path)


def read_document(
    path: Path, made: type[T], version: int, way: str, parsers: Mapping[str, Callable[[Any], Any]]
) -> T:
    """Read a document.

    Args:
        path: the document.
        made: the dataclass whose fields it has.
        version: the one that is understood.
        way: what to do about one that is of no use: `run the job again`.
        parsers: field -> makes its value of the one that JSON has.

    Raises:
        FileNotFoundError: there is none.
        StateError: it is damaged, or a newer bai wrote it.
        OSError: it can't be read.
    """
    text = path.read_text("utf-8")
    try:
        kept: dict[str, Any] = json.loads(text)
        found = kept.pop("version")
    except (ValueError, KeyError, TypeError, AttributeError):
        raise _damaged(path, way) from None
    if found != version:
        raise StateError(
            f"{path} has format {found}, and this bai knows {version}: "
            f"{way} with the bai that is installed now"
        )
    try:
        kept |= {name: parse(kept[name]) for name, parse in parsers.items()}
        if {field.name for field in fields(made)} != kept.keys():
            raise _damaged(path, way)
        return made(**kept)
    except (ValueError, KeyError, TypeError):
        raise _damaged(path, way) from None


def _damaged(path: Path, way: str) -> StateError:
    return StateError(f"{path} is damaged: {way}")
