"""Which members of sweeps end early."""

import math

import pytest

from bai.compiler.resources.sweep import MedianRule, SuccessiveHalving
from bai.runtime.scheduling.early_stopping import Progress, verdict


class Others:
    """Others that have come as far as is asked, with one list of costs for each step."""

    def __init__(self, *costs, at=None):
        self.costs, self.at, self.asked = costs, at, []

    def best_until(self, step):
        return self._found(("until", step))

    def best_from(self, step):
        return self._found(("from", step))

    def _found(self, asked):
        self.asked.append(asked)
        return self.costs if self.at in (None, asked[1]) else ()


def limit(rule, others, best, step=9, before=0):
    found = verdict(rule, Progress(step, before, best), others)
    return found and found.limit


@pytest.mark.parametrize(
    ("costs", "best", "found"),
    [
        ((1, 2, 3), 2.5, 2),
        ((1, 2, 3), 2, None),
        ((3, 1, 4, 2), 2.6, 2.5),
        ((1, 2), 9, None),
        ((1, math.inf, math.inf), math.inf, None),
        ((1, 2, math.inf), math.inf, 2),
    ],
)
def test_the_median_rule_ends_what_is_worse_than_the_median_of_the_others(costs, best, found):
    assert limit(MedianRule(), Others(*costs), best) == found


def test_the_median_rule_begins_at_its_step_and_compares_at_the_step_of_the_report():
    others = Others(1, 2, 3)
    assert limit(MedianRule(after=5), others, 9, step=4) is None
    assert limit(MedianRule(after=5), others, 9, step=5) == 2
    assert others.asked == [("until", 5)]


@pytest.mark.parametrize(
    ("costs", "best", "found"),
    [
        # With the member itself there are fewer than three, and then three.
        ((1,), 9, None),
        ((1, 2), 3, 1),
        ((2, 3), 1, None),
        ((1, 1), 1, None),
        # Of six the best two go on.
        ((1, 2, 3, 4, 5), 2.5, 2),
        ((1, 2, 3, 4, 5), 2, None),
        ((1, 2, 3, 4, 5), math.inf, 2),
    ],
)
def test_successive_halving_keeps_the_best_of_each_rung(costs, best, found):
    assert limit(SuccessiveHalving(3, 1), Others(*costs), best) == found


@pytest.mark.parametrize(
    ("step", "before", "rung"),
    [(1, -1, None), (2, -1, 2), (5, 2, None), (6, 5, 6), (17, 6, None), (40, 5, 18), (3, 40, None)],
)
def test_a_member_is_compared_once_at_the_last_rung_that_it_comes_to(step, before, rung):
    others = Others(1, 1)
    found = verdict(SuccessiveHalving(3, 2), Progress(step, before, 9), others)
    assert (found and found.step) == rung
    assert others.asked == ([("from", rung)] if rung else [])


def test_verdicts_say_what_the_limit_is():
    median = verdict(MedianRule(), Progress(9, 0, 9), Others(1, 2, 3))
    best = verdict(SuccessiveHalving(3, 1), Progress(9, 0, 9), Others(1, 2))
    best_two = verdict(SuccessiveHalving(3, 1), Progress(9, 0, 9), Others(1, 2, 3, 4, 5))
    said = [each.rule for each in (median, best, best_two)]
    assert said == ["the median of 3 other jobs", "the best of 3 jobs", "the best 2 of 6 jobs"]
