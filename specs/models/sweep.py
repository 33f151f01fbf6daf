"""Sweeps, as a person writes them: one job in many variants."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Any, Final, Literal, Self

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from bai.specs.models.base import Count, Filled, ShortForm, Size, SpecModel, one_key
from bai.specs.models.errors import model_error
from bai.specs.models.scalars import SCALAR_SCHEMA, Number, Scalar, Text
from bai.specs.source.plain_scalar import kind_of

SPACES: Final = ("grid", "random", "zip", "list")
"""The keys that say which members a sweep has."""


class Dimension(SpecModel):
    """The values that one thing takes: a bare list of them, or a range."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": ["choices"]}, {"required": ["from", "to"]}]}
    )

    choices: list[Scalar] | None = None
    """The values themselves, `[0.1, 0.01]` for example, which may also stand here alone."""
    from_: Number | None = Field(None, alias="from")
    """First number of a range; with whole numbers on both ends, all in between are whole."""
    to: Number | None = None
    """Last number of a range, which is part of it."""
    step: Number | None = None
    """Distance between the numbers of a range in a grid; by default 1 between whole numbers."""
    count: Count | None = None
    """How many numbers of a range a grid has, evenly spread, both ends included."""
    spread: Literal["linear", "log"] | None = None
    """How the numbers of a range lie: evenly, or evenly in their logarithm; by default linear."""

    @classmethod
    def key_errors(cls, keys: Collection[str]) -> Iterator[PydanticCustomError]:
        """Yield an error unless there are values or a range."""
        hint = "write a list of values, or {from: 1, to: 8}"
        ends = [key for key in ("from", "to") if key in keys]
        if "choices" in keys:
            if extra := [key for key in keys if key != "choices"]:
                message = f"choices stand beside {extra[0]}, which is of a range"
                yield model_error("BAI305", message, "keep one of them", (extra[0],))
        elif len(ends) < len(("from", "to")):
            found = f"only {ends[0]}" if ends else "neither"
            yield model_error("BAI305", f"expected choices, or from and to, found {found}", hint)
        if "step" in keys and "count" in keys:
            message = "step and count both say how many numbers there are"
            yield model_error("BAI305", message, "keep one of them", ("count",))

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.choices == []:
            raise model_error("BAI304", "there are no values", "list some: [0.1, 0.01]")
        if self.from_ is None or self.to is None:
            return self
        if self.from_ > self.to:
            message = f"from {self.from_:g} is above to {self.to:g}"
            raise model_error("BAI303", message, "exchange them", ("from",))
        if self.spread == "log" and self.from_ <= 0:
            message = f"a logarithmic range can't begin at {self.from_:g}"
            raise model_error("BAI303", message, "begin above 0", ("from",))
        if self.step is not None and self.step <= 0:
            message = f"step: expected more than 0, found {self.step:g}"
            raise model_error("BAI303", message, None, ("step",))
        if self.spread == "log" and self.step is not None:
            hint = "write count: how many numbers there are"
            raise model_error("BAI305", "a logarithmic range has no step", hint, ("step",))
        return self

    @property
    def is_whole(self) -> bool:
        """Whether a range has whole numbers only."""
        return all(isinstance(each, int) for each in (self.from_, self.to, self.step or 1))


def _values(value: Any) -> Any:
    if isinstance(value, list):
        return {"choices": value}
    if isinstance(value, str):
        hint = f"write [{value}], or a range: {{from: 1, to: 8}}"
        raise model_error("BAI203", f"expected a list of values, found {kind_of(value)}", hint)
    return value


Space = dict[
    Text,
    Annotated[
        Dimension,
        ShortForm(_values, {"type": "array", "items": dict(SCALAR_SCHEMA), "minItems": 1}),
    ],
]
"""What is varied -> its values. A key is a parameter's name or the path of a key of the job."""


class Objective(SpecModel):
    """The metric that says which member is best."""

    metric: Filled
    """Name of the metric, as the script reports it: `loss`, for example."""
    goal: Literal["minimize", "maximize"]
    """Whether a small or a large value is good."""


class EarlyStopping(SpecModel):
    """When to end a member that does worse than others, by the best value of each up to a step.

    Scripts report steps and values with `bai.metrics.report(step=..., loss=...)`.
    """

    rule: Literal["median", "successiveHalving"]
    """`median` ends a member whose best value is worse than the median of the others at the same
    step, once three others have come as far; `successiveHalving` ends, at steps that grow by
    `factor`, those that are not among the best, one in `factor` of those that have come there.
    """
    after: Size | None = None
    """First step that the median rule looks at; by default 0."""
    first: Count | None = None
    """First step at which successive halving compares members; by default 1."""
    factor: Annotated[Count, Field(ge=2)] | None = None
    """Of how many members successive halving keeps one; by default 3."""

    @model_validator(mode="after")
    def _fitting_rule(self) -> Self:
        others = ("first", "factor") if self.rule == "median" else ("after",)
        for other in others:
            if getattr(self, other) is not None:
                message = f"the rule {self.rule} has no {other}"
                raise model_error("BAI305", message, "leave it out", (other,))
        return self


class Sweep(SpecModel):
    """A job in many variants, its members: each is a job of its own."""

    model_config = ConfigDict(json_schema_extra=one_key(*SPACES))

    grid: Space | None = None
    """All combinations of values: `{lr: [0.1, 0.01], batch: [32, 64]}` has four members. Keys are
    parameters, or keys of the job such as `environment.SEED`.
    """
    random: Space | None = None
    """As many random combinations as `samples` says: `{lr: {from: 1, to: 8, spread: log}}`."""
    zip_: Space | None = Field(None, alias="zip")
    """The first values together, then the second ones, and so on: lists of one length."""
    list_: list[dict[Text, Scalar]] | None = Field(None, alias="list")
    """The members one by one: `[{lr: 0.1, batch: 32}, {lr: 0.01, batch: 64}]`."""
    samples: Count | None = None
    """Number of members of `random`."""
    seed: Size | None = None
    """Seed of `random`: with the same one, the members are the same; by default 0."""
    concurrency: Count | None = None
    """Most members that run at once; by default as many as there is room for."""
    stop_after_failures: Count | None = None
    """Number of failed members after which no more are started; by default all are."""
    objective: Objective | None = None
    """The metric by which members are compared: `{metric: loss, goal: minimize}`."""
    early_stopping: EarlyStopping | None = None
    """Rule that ends members that do badly, judged by the objective: `{rule: median}`."""

    @property
    def space(self) -> str:
        """Which of the keys in `SPACES` it has."""
        return next(key for key in SPACES if key in self.given())

    @classmethod
    def key_errors(cls, keys: Collection[str]) -> Iterator[PydanticCustomError]:
        """Yield an error unless it is clear which members there are."""
        found = [key for key in keys if key in SPACES]
        if not found:
            hint = "write grid: {environment.SEED: [1, 2, 3]}, for example"
            yield model_error("BAI305", "the sweep has no grid, random, zip or list", hint)
        elif len(found) > 1:
            message = f"the sweep has {' and '.join(found)}"
            yield model_error("BAI305", message, "keep one of them", (found[1],))
        if "random" in keys and "samples" not in keys:
            hint = "add samples: 20, for example"
            yield model_error("BAI305", "a random sweep needs samples", hint, ("random",))
        for key in ("samples", "seed"):
            if found and key in keys and "random" not in keys:
                message = f"{key} goes with random"
                yield model_error("BAI305", message, "leave it out", (key,))
        if "earlyStopping" in keys and "objective" not in keys:
            hint = "add objective: {metric: loss, goal: minimize}, for example"
            message = "earlyStopping needs an objective to compare members by"
            yield model_error("BAI305", message, hint, ("earlyStopping",))
