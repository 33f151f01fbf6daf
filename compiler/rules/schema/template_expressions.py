"""BAI208: a file to import holds values, not expressions of an ARM template.

An expression such as `[parameters('nodes')]` gets its value when the template is deployed. A spec
has no templates, so that what stands there must be known when the file is imported.

Wrong (job.json):

    {"nodeCount": "[parameters('nodes')]"}

Right (job.json):

    {"nodeCount": 1}
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI208", "an ARM template expression where a value is needed", stage=Stage.IMPORTING)
