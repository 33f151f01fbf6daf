"""Simulations: of given steps, of a seed, and the fewest steps that show a violation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from simulating.invariants import check, check_waits
from simulating.model import Violation
from simulating.rules import Rules
from simulating.world import KINDS, Step, World

LENGTH = 400
"""Steps of a seed."""
_EVERY = 50
"""Reasons for waits are checked after every so many steps: they take the longest."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The machine and clusters of a simulation."""

    slots: int | None
    sizes: tuple[int, ...]


def simulate(
    setting: Setting, steps: Sequence[Step], rules: Rules | None = None, every: int = 1
) -> None:
    """Do steps and check everything.

    Raises:
        Violation: an invariant does not hold.
    """
    world = World(setting.slots, setting.sizes, rules)
    for number, step in enumerate(steps):
        world.do(step)
        check(world)
        if number % every == 0:
            check_waits(world)


def episode(seed: int) -> tuple[Setting, list[Step]]:
    """Return the setting and the steps of a seed."""
    random = Random(seed)
    slots = random.choice((None, 4, 6, 10))
    sizes = tuple(random.randrange(12) for _ in range(random.choice((1, 1, 2, 3))))
    return Setting(slots, sizes), [_step(random) for _ in range(LENGTH)]


def _step(random: Random) -> Step:
    bits = random.getrandbits(64)
    return Step(KINDS[bits % len(KINDS)], bits >> 16 & 255, bits >> 24 & 255, bits >> 32 & 255)


def run_seeds(first: int, count: int, rules: Rules | None = None) -> int:
    """Simulate the episodes of seeds; return the number of steps.

    Raises:
        AssertionError: an invariant does not hold; with the seed and the fewest steps.
    """
    done = 0
    for seed in range(first, first + count):
        setting, steps = episode(seed)
        try:
            simulate(setting, steps, rules, _EVERY)
        except Violation as error:
            fewest = "\n".join(f"    {step}," for step in shrunk(setting, steps, rules))
            raise AssertionError(f"{error}\nseed {seed}: {setting}\n{fewest}") from error
        done += len(steps)
    return done


def violation(setting: Setting, steps: Sequence[Step], rules: Rules | None = None) -> str | None:
    """Return the invariant that steps violate, None if all hold."""
    try:
        simulate(setting, steps, rules)
    except Violation as error:
        return error.invariant
    return None


def shrunk(setting: Setting, steps: Sequence[Step], rules: Rules | None = None) -> list[Step]:
    """Return steps that still violate the same invariant, none of which can be left out."""
    kept, wanted = list(steps), violation(setting, steps, rules)
    size = len(kept)
    while size:
        for shorter in _without(kept, size):
            if violation(setting, shorter, rules) == wanted:
                kept = shorter
                break
        else:
            size //= 2
    return kept


def _without(steps: list[Step], size: int) -> Iterator[list[Step]]:
    """Return the steps without each block of a size, from the last one on."""
    for begin in range(len(steps) - size, -1, -size):
        yield steps[:begin] + steps[begin + size :]
