"""What `apply` says of its steps: a line for each, and one for all members of a sweep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bai.cli.render.summary import standing
from bai.compiler.resources.sweep import SweepId
from bai.runtime.plan.execute import Applied
from bai.runtime.plan.plan import Plan, SweepChange
from bai.session import Session
from bai.specs.words import counted
from bai.sweeps import OUTCOMES, counts_in_words

_GOING: Final = ("queued", "running", "terminating")
"""The outcomes of jobs that have not ended."""


class StepLines:
    """The lines about the steps of a plan, while these are made."""

    def __init__(self, plan: Plan, session: Session, *, followed: bool) -> None:
        """Speak of the steps of a plan.

        Args:
            plan: what is executed.
            session: where.
            followed: whether jobs that run will be followed.
        """
        self._plan, self._session, self._followed = plan, session, followed
        self._made: dict[SweepId, list[Applied]] = {}

    def after(self, step: Applied) -> str | None:
        """Return the line to write after a step; None within a sweep."""
        sweep = self._plan.sweep_by_member.get(step.change.resource.id)
        if sweep is None:
            return self._of_one(step)
        made = self._made.setdefault(sweep.sweep.id, [])
        made.append(step)
        if len(made) < len(sweep.members):
            return None
        return self._of_all(sweep, self._made.pop(sweep.sweep.id))

    def rest(self) -> Iterator[str]:
        """Iterate over the lines about sweeps of which not all members were reached."""
        sweeps = {each.sweep.id: each for each in self._plan.sweeps}
        for id, made in self._made.items():
            total = counted(len(sweeps[id].members), "job")
            yield f"{id.label} begun ({_made(made)}, of {total})"

    def _of_one(self, step: Applied) -> str:
        """Return the result of a step; of a job that is left alone, also how it stands."""
        id, live, session = step.change.resource.id, step.change.live, self._session
        line = f"{self._plan.label(id)} {step.word}"
        if step.word == "unchanged" and live and live.attempt:
            name = session.reference(id)
            stands = standing(session.handle(id), name, followed=self._followed)
            newer = step.change.newer_files
            return f"{line} ({stands})" + (f"; {newer}" if newer else "")
        return line

    def _of_all(self, sweep: SweepChange, steps: Sequence[Applied]) -> str:
        """Return the result of all steps of a sweep."""
        words = {step.word for step in steps}
        label = sweep.sweep.id.label
        if words == {"created"} and sweep.live is None:
            return f"{label} created ({sweep.summary})"
        outcomes = self._outcomes(step for step in steps if step.word == "unchanged")
        counts = counts_in_words(outcomes)
        has_ended = any(outcomes[each] for each in OUTCOMES if each not in _GOING)
        hint = "; --rerun starts new attempts" if has_ended else ""
        newer = dict.fromkeys(step.change.newer_files for step in steps if step.change.newer_files)
        notes = "".join(f"; {each}" for each in newer)
        if words == {"unchanged"} and not sweep.is_pending:
            return f"{label} unchanged ({counted(len(steps), 'job')}: {counts}{hint}){notes}"
        limit = f"; {sweep.sweep.concurrency} at once" if sweep.sweep.concurrency else ""
        states = f": {counts}" if counts else ""
        return f"{label} configured ({_made(steps)}{states}{limit}){notes}"

    def _outcomes(self, steps: Iterable[Applied]) -> Counter[str]:
        """Return how the jobs of steps stand: outcome -> number."""
        return Counter(
            self._session.handle(step.change.resource.id).attempt.outcome for step in steps
        )


def _made(steps: Sequence[Applied]) -> str:
    """Return what was done with how many jobs: `2 jobs created, 4 unchanged`."""
    counts = Counter(step.word for step in steps)
    counts["unchanged"] = counts.pop("unchanged", 0)
    (first, number), *others = [(word, count) for word, count in counts.items() if count]
    return ", ".join([f"{counted(number, 'job')} {first}", *(f"{n} {word}" for word, n in others)])
