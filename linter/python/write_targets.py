"""Where a Python script writes to: a folder that all processes share, or one of its own.

Names are not followed through scopes. A path is taken for shared only if all that its names get
says so, and for private as soon as anything does.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bai.linter.python.rank_conditions import RankConditions
from bai.linter.python.syntax_tree import assigned_names, last_name
from bai.linter.python.value_flows import Flow

_SHARED = re.compile(r"AZ_BATCHAI_(?:(?:JOB_)?MOUNT_ROOT|OUTPUT_\w|INPUT_\w)")
"""The service's variables that lead to mounted volumes, which all nodes of a job see."""
_OWN_FOLDERS = ("/tmp", "/var/tmp", "/dev/", "memory://")  # noqa: S108 - of scripts
"""How paths begin that lead to a folder of the node, or nowhere."""
_OWN_VARIABLES = ("AZ_BATCHAI_JOB_TEMP", "AZ_BATCHAI_JOB_WORK_DIR", "TMPDIR")
_OWN_CALLS = frozenset(
    {
        *("mkdtemp", "mkstemp", "mktemp", "gettempdir", "NamedTemporaryFile", "TemporaryDirectory"),
        *("TemporaryFile", "SpooledTemporaryFile", "BytesIO", "StringIO", "getpid", "uuid1"),
        *("uuid4", "token_hex", "gethostname", "getfqdn", "uname", "time", "time_ns", "now"),
        *("strftime", "random", "randint"),
    }
)
"""Calls whose results may differ between processes, or are files of one process."""
_FIXED = frozenset(
    {
        *("join", "joinpath", "Path", "PurePath", "str", "format", "get", "getenv", "open", "int"),
        *("expandvars", "expanduser", "abspath", "realpath", "normpath", "resolve", "rstrip"),
        *("with_suffix", "with_name", "fspath", "GFile", "range", "os", "path", "pathlib"),
        *("environ", "tf", "io", "gfile", "self", "parent", "parse_args", "parse_known_args"),
    }
)
"""What is the same on all processes, and what calls are if their arguments are."""
_COUNTS = re.compile(r"(?:.*_)?(?:epoch|step|iteration)s?(?:_.*)?", re.IGNORECASE)
"""Names of what all ranks count alike."""
_ARGUMENTS = frozenset({"args", "opt", "opts", "options", "flags", "FLAGS"})
"""Usual names of what holds a script's arguments."""
_MOST_NAMES = 100
"""Paths are followed through that many names of a script."""


class Target(NamedTuple):
    """What is known of a path."""

    private: bool
    """Whether it may be of this process or this node alone."""
    fixed: bool
    """Whether it surely is the same on all ranks."""
    shared: bool
    """Whether a variable of the service says that it lies in a mounted volume."""
    options: frozenset[str]
    """Arguments of the script that say where it lies: `output_dir` for `--output-dir`."""


_UNKNOWN = Target(private=False, fixed=False, shared=False, options=frozenset())


class WriteTargets:
    """The paths of a script, by what its names get."""

    def __init__(
        self, nodes: Sequence[ast.AST], flows: Sequence[Flow], ranks: RankConditions
    ) -> None:
        """Learn from all nodes of a tree and its flows of values."""
        self._ranks = ranks
        self._values: dict[str, list[ast.expr]] = {}
        self._known: dict[str, Target] = {}
        self._private: set[str] = set()
        self._arguments = set(_ARGUMENTS)
        loops = list(_loops(nodes))
        for names, value in [*flows, *loops]:
            if isinstance(value, ast.Call) and last_name(value.func) == "parse_args":
                self._arguments |= names
            for name in names:
                self._values.setdefault(name, []).append(value)
        self._changing = {name for names, value in loops if not _is_range(value) for name in names}
        """Names that may be another thing on each rank: of loops, and of what others call."""
        self._changing.update(_given_by_others(nodes))
        self._find_private([*flows, *loops])
        self._moves = any(self._is_move(node) for node in nodes)
        """Whether the ranks may have working directories of their own."""

    def of(self, *places: ast.expr) -> Target:
        """Return what is known of the paths that expressions name, as one."""
        nodes = [node for place in places for node in ast.walk(place)]
        private, fixed, shared, options = False, True, False, set()
        for node in nodes:
            private = private or self._is_private(node) or self._ranks.asks_if_alone(node)
            shared = shared or _is_shared(node)
            fixed = fixed and self._is_fixed(node)
            if isinstance(node, (ast.Name, ast.Attribute)):
                if isinstance(node, ast.Attribute) and last_name(node.value) in self._arguments:
                    options.add(node.attr)
                target = self._of_name(last_name(node))
                shared = shared or target.shared
                options |= target.options
        private = private or (self._moves and not shared and not options)
        return Target(private, fixed and not private, shared, frozenset(options))

    def _is_move(self, node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Call)
            and last_name(node.func) == "chdir"
            and any(map(self._is_private, ast.walk(node)))
        )

    def _find_private(self, flows: Sequence[Flow]) -> None:
        for _ in range(8):  # longer chains of names are not followed
            before = len(self._private)
            for names, value in flows:
                if not names <= self._private and any(map(self._is_private, ast.walk(value))):
                    self._private |= names
            if len(self._private) == before:
                break

    def _is_private(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Constant):
            text = node.value if isinstance(node.value, str) else ""
            if text.startswith(_OWN_FOLDERS) or any(name in text for name in _OWN_VARIABLES):
                return True
        elif isinstance(node, (ast.Name, ast.Attribute)):
            if last_name(node) in self._private:
                return True
        elif isinstance(node, ast.Call) and last_name(node.func) in _OWN_CALLS:
            return True
        return self._ranks.tells_apart(node)

    def _is_fixed(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Call):
            return last_name(node.func) in _FIXED
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return not isinstance(node, (ast.Lambda, ast.Await, ast.Yield, ast.YieldFrom))
        if isinstance(node, ast.Attribute) and last_name(node.value) in self._arguments:
            return True
        name = last_name(node)
        if name in _FIXED or name in self._arguments or _COUNTS.fullmatch(name):
            return True
        return self._of_name(name).fixed

    def _of_name(self, name: str) -> Target:
        """Return what all values together tell that a name gets."""
        if name in self._known:
            return self._known[name]
        if name not in self._values or name in self._changing or name in self._arguments:
            return _UNKNOWN
        if len(self._known) > _MOST_NAMES:
            return _UNKNOWN
        self._known[name] = _UNKNOWN  # while it is being looked at
        # `path = path / "x"` tells nothing new.
        values = [value for value in self._values[name] if not _mentions(value, name)]
        targets = [self.of(value) for value in values]
        if targets:
            told = all(target.shared or target.options for target in targets)
            self._known[name] = Target(
                private=any(target.private for target in targets),
                fixed=all(target.fixed for target in targets),
                shared=all(target.shared for target in targets),
                options=frozenset().union(*(each.options for each in targets if told)),
            )
        return self._known[name]


def _loops(nodes: Sequence[ast.AST]) -> Iterator[Flow]:
    """Iterate over the names that `for` sets, with what it goes through."""
    for node in nodes:
        if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            yield set(assigned_names([node.target])), node.iter


def _given_by_others(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Iterate over the parameters of functions that are handed on, or not called by the script."""
    called = {id(node.func): last_name(node.func) for node in nodes if isinstance(node, ast.Call)}
    mentioned = {
        last_name(node)
        for node in nodes
        if isinstance(node, (ast.Name, ast.Attribute)) and id(node) not in called
    }
    names = set(called.values())
    for node in nodes:
        handed_on = isinstance(node, ast.Lambda)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name != "__init__":
            handed_on = node.name in mentioned or node.name not in names
        if handed_on and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            arguments = node.args
            for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                if each.arg != "self":
                    yield each.arg


def _is_range(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and last_name(value.func) == "range"


def _mentions(value: ast.expr, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(value))


def _is_shared(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and _SHARED.search(node.value) is not None
    )
