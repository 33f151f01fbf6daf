"""What the analysis of a Python script finds."""

from __future__ import annotations

from typing import NamedTuple


class Save(NamedTuple):
    """A call that several ranks make and that writes a checkpoint or another file."""

    line: int
    column: int
    """Both count from 1."""
    call: str
    """As it is written: `torch.save`, for one."""
    shared: bool = False
    """Whether a variable of the service says that the file lies in a mounted volume."""
    options: tuple[str, ...] = ()
    """Arguments of the script that say where it lies: `output_dir` for `--output-dir`."""


class HorovodCall(NamedTuple):
    """A call of a function of Horovod, or its name where a call is meant."""

    line: int
    """Counts from 1."""
    call: str
    """As it is written: `hvd.rank`, for example."""


class ConstantComparison(NamedTuple):
    """A comparison of a rank, or of the number of processes, that comes out the same everywhere."""

    line: int
    """Counts from 1."""
    written: str
    """The comparison: `hvd.rank() == hvd.size()`."""
    holds: bool
    """Whether it always holds; else it never does."""
    hint: str
    """Why, or what to write."""


class PartialCollective(NamedTuple):
    """An exchange that not all ranks take part in."""

    line: int
    """Counts from 1."""
    call: str
    """As it is written: `hvd.allreduce`, or a function of the script that comes to it."""
    exchange: str
    """What the call comes to: `hvd.allreduce`."""
    by_first: bool
    """Whether the first rank begins it, and not all the others."""


class TrainingStep(NamedTuple):
    """A call that changes the weights of a model."""

    line: int
    """Counts from 1."""
    call: str
    """As it is written: `optimizer.step`, for one."""
    by_tape: bool
    """Whether a tape of TensorFlow's gives the gradients."""


class BareUse(NamedTuple):
    """A use of something that the package `horovod` itself does not have."""

    line: int
    """Counts from 1."""
    name: str
    """As it is written: `hvd.init`, for one."""
    part: str | None
    """The part of Horovod that has it, as `horovod.torch`, if it is clear which is meant."""


class Misspelt(NamedTuple):
    """A name of Horovod's that is written wrong."""

    line: int
    """Counts from 1."""
    name: str
    """As it is written: `hvd.ranks`, or `horovod.pytorch` of an import."""
    package: str | None
    """What lacks the last part of it, as `horovod.torch`; None if there is no such package."""
    meant: str
    """What is meant, in full: `hvd.rank`."""


class OldName(NamedTuple):
    """A name of Python 2's that Python 3 does not have."""

    line: int
    """Counts from 1."""
    name: str


class VariableRead(NamedTuple):
    """Where an environment variable is read without a thought of its absence."""

    line: int
    """Counts from 1."""
    name: str
    is_sure: bool
    """Whether the script fails without it whenever it runs."""


class ScriptFacts(NamedTuple):
    """What is known of a script that compiles."""

    horovod_line: int | None
    """Where it first imports Horovod for a framework, if it does."""
    initialises: bool
    """Whether it calls `hvd.init()`, or hands Horovod to code that may."""
    saves: tuple[Save, ...]
    """Checkpoints that every rank writes; like the next ones, empty without Horovod."""
    mentions_horovod: bool = True
    """Whether it says the word anywhere."""
    uncalled_init: int | None = None
    """The line where it writes `hvd.init` without calling it, if it never initialises Horovod."""
    early: HorovodCall | None = None
    """What it asks of Horovod before it initialises it."""
    node_saves: tuple[Save, ...] = ()
    """Checkpoints that one rank of each node writes, as hvd.local_rank() alone decides."""
    writes: tuple[Save, ...] = ()
    """Other files that every rank begins anew, under a path that surely is the same for all."""
    other_saves: tuple[Save, ...] = ()
    """Checkpoints that all ranks but the first write."""
    uncalled: tuple[HorovodCall, ...] = ()
    """Where it takes a question for its answer: `hvd.rank == 0`."""
    lonely: tuple[PartialCollective, ...] = ()
    """Exchanges that only some ranks begin."""
    separate: TrainingStep | None = None
    """Where it trains a model in each process that learns nothing from the others."""
    constant: tuple[ConstantComparison, ...] = ()
    """Comparisons with ranks that don't depend on the rank."""
    dropped: HorovodCall | None = None
    """The first call that wraps an optimizer or a tape for Horovod and whose result is not used."""
    bare: BareUse | None = None
    """What it looks for in `horovod` that only the parts for frameworks have."""
    misspelt: tuple[Misspelt, ...] = ()
    """The names of Horovod that it writes wrong."""
    variables: tuple[VariableRead, ...] = ()
    """The variables like those of the service that it needs; also without Horovod."""
    is_empty: bool = False
    """Whether it has no statement at all."""
    uncalled_main: int | None = None
    """The line of its function `main`, if it does nothing but define it."""
    old: OldName | None = None
    """What it needs of Python 2; also without Horovod."""


class SyntaxProblem(NamedTuple):
    """Why a script doesn't parse or compile. Line and column count from 1."""

    line: int
    column: int
    message: str
    python2: bool
    """Whether it looks like a script for Python 2."""
    misencoded: bool = False
    """Whether it is saved in an encoding that it does not name."""


class Unexamined(NamedTuple):
    """Why a script could not be looked at, which says nothing about it."""

    reason: str
