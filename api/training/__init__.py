"""What distributed training scripts have in common, whatever framework they use.

Needs numpy, and no other part of bai, so that a script that uses it also runs under plain
`horovodrun`. docs/training.md has an example.
"""

from bai.training.checkpoints import Checkpoints
from bai.training.shares import share
from bai.training.weights import digest, require_identical

__all__ = ["Checkpoints", "digest", "require_identical", "share"]
