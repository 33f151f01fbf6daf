"""The environment variables of jobs that only the compiler sets."""

from __future__ import annotations

from typing import Final

from bai.compiler.resources.sweep import MEMBER_VARIABLE, SWEEP_VARIABLE

OWN_VARIABLES: Final = frozenset((SWEEP_VARIABLE, MEMBER_VARIABLE))
