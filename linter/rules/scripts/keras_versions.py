"""Rules about the versions of Keras that a script can be run with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.linter.context import RuleContext
from bai.linter.facts.scripts import Script
from bai.linter.python.results import ScriptFacts
from bai.linter.rules.scripts.script_rule import Words, script_rule

_LEGACY: Final = "TF_USE_LEGACY_KERAS"
"""With this variable TensorFlow takes the package tf_keras, which is Keras 2."""


@script_rule("BAI738", several=True)
def wrappers_of_keras_2(
    script: Script, facts: ScriptFacts, context: RuleContext
) -> Iterator[Words]:
    """What Horovod has for Keras is used with Keras 2."""
    job, use = script.resource, facts.keras_wrapper
    if use is None or context.packages is None or job.get("properties", "containerSettings"):
        return
    if job.text("properties", "horovodSettings", "pythonInterpreterPath"):
        return
    variables = job.entries("properties", "environmentVariables")
    if any(variable.get("name") == _LEGACY for _, variable in variables):
        return
    version = context.packages.version("keras") or ""
    major = version.partition(".")[0]
    if major.isdigit() and int(major) >= 3:
        message = (
            f"{use.name} on line {use.line} of {script.name} is for Keras 2, and the job would "
            f"have Keras {version}: its optimizer averages nothing, and its callbacks fail"
        )
        yield message, "write `import bai.keras as hvd` in its place"
