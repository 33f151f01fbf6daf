"""BAI404: every AZ_BATCHAI_INPUT_X and AZ_BATCHAI_OUTPUT_X that is used is declared."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bai.compiler.rules.rule import Complaint, Resources, Rule
from bai.compiler.rules.texts import expanded_texts
from bai.specs.names import suggestion

_VARIABLE = re.compile(r"\$\{?AZ_BATCHAI_(INPUT|OUTPUT)_(\w+)\}?")


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource, job in resources.jobs():
        declared = {
            "INPUT": [entry.id for entry in job.properties.input_directories or []],
            "OUTPUT": [entry.id for entry in job.properties.output_directories or []],
        }
        for path, text in expanded_texts(job):
            for match in _VARIABLE.finditer(text):
                group, name = match.groups()
                known = declared[group]
                if name not in known:
                    message = f"AZ_BATCHAI_{group}_{name} is not declared"
                    where = f"{group.lower()}s"
                    hint = suggestion(name, known) if known else f"declare {name} under {where}"
                    yield Complaint(resource, path, message, hint, match[0])
    for resource, cluster in resources.clusters():
        for path, text in expanded_texts(cluster):
            for match in _VARIABLE.finditer(text):
                message = f"a setup task has no {match[1].lower()}s"
                yield Complaint(resource, path, message, "only jobs have them", match[0])


RULE = Rule("BAI404", "an input or output variable is not declared", _check)
