"""Each rank's share of a data set, batch by batch, loaded while the network computes."""

import math
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from images import Images

from bai.training import share

MEAN = np.array([0.485, 0.456, 0.406], np.float32)
"""Means of red, green and blue over ImageNet, of values from 0 to 1."""
DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)
"""Their standard deviations."""

_AHEAD = 2
"""How many batches are loaded while another one is in use."""


@dataclass(frozen=True)
class Batch:
    """What one rank learns from, or is tested with, in a step."""

    images: np.ndarray
    """(n, size, size, 3), float32, of mean 0 and deviation 1 over ImageNet."""
    labels: np.ndarray
    """(n,), int64."""
    weights: np.ndarray
    """(n,), float32: 0 for images that only fill the last batch up. The mean of weights times
    losses, averaged over the ranks, is the mean loss of the step's images."""

    @property
    def count(self) -> int:
        """How many images do not just fill the batch up."""
        return int(np.count_nonzero(self.weights))


@dataclass(frozen=True)
class Loader:
    """Loads each image of a data set once an epoch, on one of the ranks."""

    images: Images
    size: int
    """Edge of the images, in pixels."""
    batch: int
    """Images of each rank in a step."""
    rank: int
    ranks: int
    workers: int
    """Threads that load images."""

    @property
    def steps(self) -> int:
        """Batches of an epoch; all ranks have as many."""
        return math.ceil(math.ceil(len(self.images.labels) / self.ranks) / self.batch)

    def training(self, epoch: int, seed: int) -> Iterator[Batch]:
        """Load random parts of the images, in another order in each epoch."""
        return self._load((seed, epoch), at_random=True)

    def validation(self) -> Iterator[Batch]:
        """Load the middle of each image."""
        return self._load((0,), at_random=False)

    def _load(self, seed: tuple[int, ...], *, at_random: bool) -> Iterator[Batch]:
        own = share(len(self.images.labels), rank=self.rank, size=self.ranks, seed=seed)

        def load(index: int) -> np.ndarray:
            random = np.random.default_rng((*seed, index)) if at_random else None
            return self.images.load(index, self.size, random)

        with ThreadPoolExecutor(self.workers) as pool:
            ahead = deque()
            for step in range(self.steps):
                part = own[step * self.batch : (step + 1) * self.batch]
                filled = np.concatenate([part, np.resize(own, self.batch - len(part))])
                weights = self._weights(step, len(part))
                ahead.append((filled, weights, [pool.submit(load, index) for index in filled]))
                if len(ahead) > _AHEAD:
                    yield self._batch(*ahead.popleft())
            for loading in ahead:
                yield self._batch(*loading)

    def _weights(self, step: int, count: int) -> np.ndarray:
        """Return the weights of a batch of which so many images count, (n,)."""
        least, ranks_with_more = divmod(len(self.images.labels), self.ranks)
        before = step * self.batch
        total = sum(
            min(max(least + (rank < ranks_with_more) - before, 0), self.batch)
            for rank in range(self.ranks)
        )
        weights = np.zeros(self.batch, np.float32)
        weights[:count] = self.batch * self.ranks / total
        return weights

    def _batch(
        self, indices: np.ndarray, weights: np.ndarray, loading: list[Future[np.ndarray]]
    ) -> Batch:
        pixels = np.stack([image.result() for image in loading])
        images = (pixels.astype(np.float32) / 255 - MEAN) / DEVIATION
        return Batch(images, self.images.labels[indices], weights)
