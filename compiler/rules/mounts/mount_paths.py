"""BAI502: mounts stand side by side below their root.

A mount at a path hides what is there, so that one mount inside of another would be there or not by
the order in which they are made. An absolute path, or one with .., would hide parts of the node.

Wrong (job):

    mounts: {data: "azureFile:data", data/images: "azureFile:images"}

Right (job):

    mounts: {data: "azureFile:data", images: "azureFile:images"}
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule(
    "BAI502", "a mount path that overlaps with another, or leaves the root", stage=Stage.COMPILING
)
