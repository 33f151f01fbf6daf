"""What the analysis of a Python script finds. Lines and columns count from 1."""

from __future__ import annotations

from typing import NamedTuple


class Save(NamedTuple):
    """A call that several ranks make and that writes a checkpoint or another file."""

    line: int
    column: int
    call: str
    """As it is written: `torch.save`, for example."""
    shared: bool = False
    """Whether a variable of the service says that the file is in a mounted volume."""
    options: tuple[str, ...] = ()
    """Arguments of the script that say where the file is: `output_dir` for `--output-dir`."""


class Use(NamedTuple):
    """A use of a name, or a call."""

    line: int
    name: str
    """As it is written, of a call without arguments: `hvd.rank`, for example."""


class ConstantComparison(NamedTuple):
    """A comparison of a rank, or of the number of processes, with the same outcome everywhere."""

    line: int
    written: str
    """The comparison: `hvd.rank() == hvd.size()`."""
    holds: bool
    """Whether it always holds; else it never does."""
    hint: str
    """Why, or what to write."""


class PartialCollective(NamedTuple):
    """A collective that only some ranks call."""

    line: int
    call: str
    """As it is written: `hvd.allreduce`, or a function of the script that comes to it."""
    collective: str
    """What the call comes to: `hvd.allreduce`."""
    by_first: bool
    """Whether the first rank calls it, and not all the others."""


class TrainingStep(NamedTuple):
    """A call that changes the weights of a model."""

    line: int
    call: str
    """As it is written: `optimizer.step`, for example."""
    by_tape: bool
    """Whether a tape of TensorFlow's gives the gradients."""


class BareUse(NamedTuple):
    """A use of something that the package `horovod` itself does not have."""

    line: int
    name: str
    """As it is written: `hvd.init`, for example."""
    part: str | None
    """The part of Horovod that has it, like `horovod.torch`; None if it is unclear which."""


class Misspelt(NamedTuple):
    """A misspelt name of Horovod."""

    line: int
    name: str
    """As it is written: `hvd.ranks`, or `horovod.pytorch` of an import."""
    package: str | None
    """What lacks the last part of it, like `horovod.torch`; None if there is no such package."""
    meant: str
    """The full name that is meant: `hvd.rank`."""


class VariableRead(NamedTuple):
    """A read of an environment variable that does not handle its absence."""

    line: int
    name: str
    is_sure: bool
    """Whether the script fails without it whenever it runs."""


class LinkCall(NamedTuple):
    """A call that makes a link or a named pipe."""

    line: int
    call: str
    """As it is written: `os.symlink`, for example."""
    what: str
    """What it makes: `symbolic links`."""
    path: str
    """How its path begins, `$NAME` for an environment variable."""


class ScriptFacts(NamedTuple):
    """What is known of a script that compiles.

    All about Horovod is empty in a script without it.
    """

    horovod_line: int | None = None
    """Where it first imports Horovod for a framework."""
    links: tuple[LinkCall, ...] = ()
    """Calls that make links at paths which variables begin."""
    initialises: bool = False
    """Whether it calls `hvd.init()`, or hands Horovod to code that may."""
    saves: tuple[Save, ...] = ()
    """Checkpoints that every rank writes."""
    mentions_horovod: bool = True
    """Whether it contains the word anywhere."""
    uncalled_init: int | None = None
    """The line of an `hvd.init` without a call, if it never initialises Horovod."""
    early: Use | None = None
    """The first use of Horovod, if it comes before init."""
    node_saves: tuple[Save, ...] = ()
    """Checkpoints that one rank of each node writes, as hvd.local_rank() alone decides."""
    writes: tuple[Save, ...] = ()
    """Other files that every rank truncates, under a path that certainly is the same for all."""
    other_saves: tuple[Save, ...] = ()
    """Checkpoints that all ranks but the first write."""
    uncalled: tuple[Use, ...] = ()
    """Functions that are taken for their result: `hvd.rank == 0`."""
    partial_collectives: tuple[PartialCollective, ...] = ()
    separate: TrainingStep | None = None
    """A step of a training that each process makes for itself."""
    constant: tuple[ConstantComparison, ...] = ()
    dropped: Use | None = None
    """The first wrapping of an optimizer or a tape for Horovod whose result is not used."""
    keras_wrapper: Use | None = None
    """The first use of what Horovod has for Keras 2 beside its exchanges."""
    bare: BareUse | None = None
    misspelt: tuple[Misspelt, ...] = ()
    variables: tuple[VariableRead, ...] = ()
    """The variables like those of the service that it needs; also without Horovod."""
    is_empty: bool = False
    """Whether it has no statement at all."""
    uncalled_main: int | None = None
    """The line of its function `main`, if it does nothing but define it."""
    old: Use | None = None
    """What it needs of Python 2; also without Horovod."""


class SyntaxProblem(NamedTuple):
    """Why a script does not parse or compile."""

    line: int
    column: int
    message: str
    python2: bool
    """Whether it looks like a script for Python 2."""
    misencoded: bool = False
    """Whether it is saved in an encoding that it does not name."""


class Unexamined(NamedTuple):
    """Why a script was not analysed, which is no fault of the script."""

    reason: str
