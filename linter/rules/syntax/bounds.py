"""BAI107: a file stays within bounds when its aliases are expanded.

At most 100 levels, a million keys and values, and 100,000 more through aliases: ten lines can
otherwise expand to more than any machine holds. No spec written by hand comes near.

Wrong (spec):

    a: &a [x, x, x, x, x, x, x, x, x, x]
    b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
    c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
    d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
    e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]

Right (spec):

    clusters:
      gpu: &node {vmSize: STANDARD_NC6, scale: 2}
      more: *node
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI107", "a file that is nested too deep, or has too many values", stage=Stage.READING)
