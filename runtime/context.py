"""Contexts: named places to run, from `bai.toml`.

current-context = "laptop"

[contexts.laptop]
state = ".bai"               # folder of the state, relative to this file
storage = "/data/accounts"   # folder of the storage accounts; by default in the state folder
slots = 4                    # processes that may run at once; by default one for each core
launcher = "gloo"            # or "mpirun"
bind-to = "core"             # or "none": whether each rank gets its own share of the cores
python = "envs/tf/bin/python"
resource-group = "research"  # defaults of specs; likewise workspace, location,
storage-account = "data"     # subscription
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args

from bai.compiler.compilation import NO_SUBSCRIPTION, UNNAMED, Defaults
from bai.runtime.engines.local.settings import BindTo, EngineSettings, Launcher
from bai.runtime.node.cores import cpu_count
from bai.specs.errors import ContextError
from bai.specs.names import suggestion
from bai.specs.toml_files import (
    BUILT_IN,
    CONTEXT_KEYS,
    CONTEXT_TEXTS,
    TomlFile,
    check_tables,
)

FILE = "bai.toml"
T = TypeVar("T", bound=str)


@dataclass(frozen=True, slots=True)
class Context:
    """A place to run."""

    name: str
    state: Path
    """Absolute path of the state folder."""
    engine: EngineSettings
    defaults: Defaults
    source: Path | None = None
    """The file that the context is written in; None for the built-in one."""


def find_file(start: Path) -> Path | None:
    """Return the nearest bai.toml in `start` or above it."""
    for folder in (start, *start.parents):
        if (folder / FILE).is_file():
            return folder / FILE
    return None


def built_in(folder: Path) -> Context:
    """Return the context that is there without any bai.toml, with its state in a folder."""
    return _context(BUILT_IN, {}, folder, None)


def load_contexts(start: Path) -> tuple[dict[str, Context], str]:
    """Return all contexts by name, and the name of the current one.

    Where the file does not say which is current, it is the only one in it, or the built-in one.

    Raises:
        ContextError: bai.toml is not valid.
    """
    file = find_file(start.absolute())
    if file is None:
        return {BUILT_IN: built_in(start.absolute())}, BUILT_IN
    try:
        content = file.read_bytes()
    except OSError as error:
        raise ContextError(f"can't read {file}: {error.strerror}") from None
    toml = TomlFile(file, content)
    check_tables(toml)
    data = toml.data
    tables = data.get("contexts", {})
    if not isinstance(tables, dict) or not all(isinstance(t, dict) for t in tables.values()):
        raise ContextError(f"{file}: contexts must be tables: [contexts.NAME]")
    contexts = {name: _context(name, table, file.parent, toml) for name, table in tables.items()}
    contexts.setdefault(BUILT_IN, built_in(file.parent))
    current = data.get("current-context", next(iter(tables)) if len(tables) == 1 else BUILT_IN)
    if not isinstance(current, str):
        raise ContextError(f"{file}: current-context must be the name of a context")
    if current not in contexts:
        hint = suggestion(current, contexts)
        raise ContextError(f"{file}: current-context {current!r} is not defined ({hint})")
    return contexts, current


def select(name: str | None, start: Path) -> Context:
    """Return the context of this name, of BAI_CONTEXT, or the current one.

    Raises:
        ContextError: there is no such context, or bai.toml is not valid.
        TypeError: the name is no text.
    """
    if not isinstance(name, str | None):
        raise TypeError(f"context must be the name of a context, a str, not {type(name).__name__}")
    contexts, current = load_contexts(start)
    wanted = name or os.environ.get("BAI_CONTEXT") or current
    if wanted not in contexts:
        raise ContextError(f"there is no context {wanted!r} ({suggestion(wanted, contexts)})")
    return contexts[wanted]


def _context(name: str, table: dict[str, Any], folder: Path, file: TomlFile | None) -> Context:
    def where(key: str) -> str:
        place = file.key_place("contexts", name, key) if file else ""
        return f"{place}: contexts.{name}.{key}"

    for key, value in table.items():
        if key not in CONTEXT_KEYS:
            hint = suggestion(key, CONTEXT_KEYS)
            raise ContextError(f"{where(key)} is no key of a context ({hint})")
        if key in CONTEXT_TEXTS and (not isinstance(value, str) or not value):
            raise ContextError(f"{where(key)} must be a string that is not empty")
    slots = table.get("slots", cpu_count())
    if not isinstance(slots, int) or isinstance(slots, bool) or slots < 1:
        raise ContextError(f"{where('slots')} must be an integer of at least 1")
    python = table.get("python")

    def choice(key: str, *choices: T) -> T:
        """Return the value of a key; the first of the choices is the default."""
        value = table.get(key, choices[0])
        for each in choices:
            if each == value:
                return each
        hint = suggestion(value, choices)
        raise ContextError(f"{where(key)} can't be {value!r} ({hint})")

    def path(key: str, default: str) -> Path:
        try:
            return folder / Path(table.get(key, default)).expanduser()
        except RuntimeError:
            # pathlib's word for a `~` whose user has no home folder.
            raise ContextError(f"{where(key)}: {table[key]!r} names no home folder") from None

    engine = EngineSettings(
        slots=slots,
        launcher=choice("launcher", *get_args(Launcher)),
        bind_to=choice("bind-to", *get_args(BindTo)),
        python=str(path("python", "")) if python and "/" in python else python,
        storage=path("storage", "") if "storage" in table else None,
        context=name,
    )
    defaults = Defaults(
        subscription=table.get("subscription", NO_SUBSCRIPTION),
        resource_group=table.get("resource-group", UNNAMED),
        workspace=table.get("workspace", UNNAMED),
        location=table.get("location", UNNAMED),
        storage_account=table.get("storage-account")
        or os.environ.get("AZURE_BATCHAI_STORAGE_ACCOUNT"),
    )
    return Context(name, path("state", ".bai"), engine, defaults, file.path if file else None)
