r"""BAI102: a file is encoded in UTF-8.

JSON must be UTF-8, and YAML is read as UTF-8 (or as UTF-16, if it begins with a byte order mark).
Text that an old editor saved as Latin-1 would reach the job with other characters than were
written.

Wrong (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 2}  # paid by Z\udcfcrich

Right (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 2}  # paid by Zürich
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI102", "a file that is not UTF-8 text", stage=Stage.READING)
