"""Where a Python script writes to: a folder that all processes share, or one of its own.

Names are not followed through scopes. A path counts as shared only if all values of its names are,
and as private if any is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from bai.linter.python.guards import Guards
from bai.linter.python.horovod_names import HorovodNames
from bai.linter.python.syntax_tree import FUNCTIONS, assigned_names, last_name, text_of
from bai.linter.python.value_flows import spread

_SHARED = re.compile(r"AZ_BATCHAI_(?:(?:JOB_)?MOUNT_ROOT|OUTPUT_\w|INPUT_\w)")
"""The service's variables that lead to mounted volumes, which all nodes of a job see."""
_OWN_FOLDERS = ("/tmp", "/var/tmp", "/dev/", "memory://")  # noqa: S108 - of scripts
"""How paths begin that lead to a folder of the node, or nowhere."""
_OWN_VARIABLES = ("AZ_BATCHAI_JOB_TEMP", "AZ_BATCHAI_JOB_WORK_DIR", "TMPDIR")
_OWN_CALLS = frozenset(
    "mkdtemp mkstemp mktemp gettempdir NamedTemporaryFile TemporaryDirectory TemporaryFile "  # noqa: SIM905
    "SpooledTemporaryFile BytesIO StringIO getpid uuid1 uuid4 token_hex gethostname getfqdn uname "
    "time time_ns now strftime random randint".split()
)
"""Calls whose results may differ between processes, or are files of one process."""
_FIXED = frozenset(
    "join joinpath Path PurePath str format get getenv open int expandvars expanduser abspath "  # noqa: SIM905
    "realpath normpath resolve rstrip with_suffix with_name fspath GFile range os path pathlib "
    "environ tf io gfile self parent parse_args parse_known_args".split()
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
    """Whether it certainly is the same on all ranks."""
    shared: bool
    """Whether a variable of the service says that it lies in a mounted volume."""
    options: frozenset[str]
    """Arguments of the script that say where it lies: `output_dir` for `--output-dir`."""


_UNKNOWN = Target(private=False, fixed=False, shared=False, options=frozenset())


class WriteTargets:
    """The paths of a script, by what its names get."""

    def __init__(self, script: HorovodNames, guards: Guards) -> None:
        self._guards = guards
        self._values: dict[str, list[ast.expr]] = {}
        self._known: dict[str, Target] = {}
        self._private: set[str] = set()
        self._arguments = set(_ARGUMENTS)
        iterated = script.of(ast.For, ast.AsyncFor, ast.comprehension)
        loops = [(assigned_names(node), node.iter) for node in iterated]
        for names, value in [*script.flows, *loops]:
            if isinstance(value, ast.Call) and last_name(value.func) == "parse_args":
                self._arguments |= names
            for name in names:
                self._values.setdefault(name, []).append(value)
        self._changing = set(_unknown_parameters(script))
        """Names that may differ between ranks: of loops, and of parameters with unknown values."""
        for names, value in loops:
            if not (isinstance(value, ast.Call) and last_name(value.func) == "range"):
                self._changing |= names
        spread([*script.flows, *loops], (self._private, self._has_private_part))
        self._moves = any(
            last_name(call.func) == "chdir" and self._has_private_part(call)
            for call in script.of(ast.Call)
        )
        """Whether the ranks may have working directories of their own."""

    def of(self, *places: ast.expr) -> Target:
        """Return what is known of the paths that expressions name, as one."""
        nodes = [node for place in places for node in ast.walk(place)]
        names = [node for node in nodes if isinstance(node, (ast.Name, ast.Attribute))]
        targets = [self._of_name(last_name(node)) for node in names]
        attributes = [node for node in names if isinstance(node, ast.Attribute)]
        own = {node.attr for node in attributes if last_name(node.value) in self._arguments}
        options = own.union(*(target.options for target in targets))
        shared = any(target.shared for target in targets) or any(
            _SHARED.search(text_of(node)) for node in nodes
        )
        private = any(map(self._is_private, nodes)) or (self._moves and not shared and not options)
        fixed = not private and all(map(self._is_fixed, nodes))
        return Target(private, fixed, shared, frozenset(options))

    def _has_private_part(self, value: ast.expr) -> bool:
        return any(map(self._is_private, ast.walk(value)))

    def _is_private(self, node: ast.AST) -> bool:
        if text := text_of(node):
            is_own = text.startswith(_OWN_FOLDERS) or any(name in text for name in _OWN_VARIABLES)
        elif isinstance(node, ast.Call):
            is_own = last_name(node.func) in _OWN_CALLS
        else:
            is_own = last_name(node) in self._private
        return is_own or self._guards.differs(node)

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
        """Return what is known of all values of a name together."""
        if name in self._known:
            return self._known[name]
        if name not in self._values or name in self._changing or name in self._arguments:
            return _UNKNOWN
        if len(self._known) > _MOST_NAMES:
            return _UNKNOWN
        self._known[name] = _UNKNOWN  # while it is being looked at
        # `path = path / "x"` adds nothing.
        values = [value for value in self._values[name] if not _mentions(value, name)]
        targets = [self.of(value) for value in values]
        if targets:
            is_known = all(target.shared or target.options for target in targets)
            self._known[name] = Target(
                private=any(target.private for target in targets),
                fixed=all(target.fixed for target in targets),
                shared=all(target.shared for target in targets),
                options=frozenset().union(*(each.options for each in targets if is_known)),
            )
        return self._known[name]


def _unknown_parameters(script: HorovodNames) -> Iterator[str]:
    """Yield the parameters of functions that are handed on, or not called by the script."""
    called = {id(node.func): last_name(node.func) for node in script.of(ast.Call)}
    names = set(called.values())
    mentioned = {
        last_name(node) for node in script.of(ast.Name, ast.Attribute) if id(node) not in called
    }
    for node in script.of(*FUNCTIONS, ast.Lambda):
        if not isinstance(node, ast.Lambda) and (
            node.name == "__init__" or (node.name in names and node.name not in mentioned)
        ):
            continue
        for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            if each.arg != "self":
                yield each.arg


def _mentions(value: ast.expr, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(value))
