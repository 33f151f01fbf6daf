"""BAI307: an image is an alias, or publisher, offer and sku.

The aliases are UbuntuLTS and UbuntuDSVM. All other images need the three parts by which Azure's
marketplace knows them, `PUBLISHER:OFFER:SKU`, and may have a version. An alias stands for all
three.

Wrong (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 2, image: Ubuntu}

Right (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 2, image: UbuntuLTS}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI307", "an operating system image that is not named in full", stage=Stage.COMPILING)
