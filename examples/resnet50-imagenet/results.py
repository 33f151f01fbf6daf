"""What a training run reports of an epoch."""

from dataclasses import dataclass

import numpy as np

from bai.metrics import report


def hits(scores: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Count in a batch, leaving out what has no weight.

    Args:
        scores: (n, classes), the higher the likelier.
        labels: (n,), the right classes.
        weights: (n,), 0 for images that do not count.

    Returns:
        (3,), float64: how often the right class has the highest score, how often one of the five
        highest, and how many images there are.
    """
    better = (scores > scores[np.arange(len(labels)), labels][:, None]).sum(axis=1)
    counted = weights > 0
    return np.array(
        [(better[counted] < 1).sum(), (better[counted] < 5).sum(), counted.sum()], float
    )


@dataclass(frozen=True)
class Epoch:
    """An epoch, summed over all ranks."""

    number: int
    """Epochs done, from 1."""
    loss: float
    """Mean loss of the training images."""
    trained: int
    """Training images seen."""
    seconds: float
    """How long the training took, without validation."""
    hits: np.ndarray
    """(3,): of the validation images, as `hits` counts them."""

    def require_each_once(self, training_images: int, validation_images: int) -> None:
        """Compare with the sizes of the data sets.

        Raises:
            RuntimeError: Images were left out, or seen more than once.
        """
        for seen, size in ((self.trained, training_images), (self.hits[2], validation_images)):
            if seen != size:
                raise RuntimeError(f"epoch {self.number} saw {seen:.0f} images of {size}")

    def show(self, epochs: int) -> None:
        """Print and report the epoch; only rank 0 does."""
        top1, top5 = self.hits[:2] / self.hits[2]
        speed = self.trained / self.seconds
        print(
            f"epoch {self.number} of {epochs}  loss {self.loss:.4f}  top-1 {top1:.4f}  "
            f"top-5 {top5:.4f}  {self.trained} images seen once, {speed:.1f} images/sec",
            flush=True,
        )
        report(
            step=self.number,
            total=epochs,
            loss=self.loss,
            top1=top1,
            top5=top5,
            images_per_second=speed,
        )
