"""Trains RetinaNet on COCO, or on shapes in its format, with Horovod."""

import argparse
import math
import time
from pathlib import Path
from typing import Any, NamedTuple

import horovod.torch as hvd
import torch
from anchors import anchor_grid, match
from attempts import checkpoints, newest_checkpoint
from coco_data import CocoSplit, batches
from evaluate import Precision, average_precision, coco_results, detect
from losses import detection_loss
from model import DESIGNS, RetinaNet
from tensorboardX import SummaryWriter
from torch import Tensor

from bai.metrics import report
from bai.training import digest, require_identical, share


def parse() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data set")
    parser.add_argument("--output", type=Path, required=True, help="for checkpoints and events")
    parser.add_argument("--model", choices=DESIGNS, default="tiny")
    parser.add_argument("--size", type=int, default=96, help="pixels that images are scaled to")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=8, help="images per rank and step")
    parser.add_argument("--learning-rate", type=float, default=1e-3, help="per rank")
    parser.add_argument("--warmup-epochs", type=float, default=0.5)
    parser.add_argument("--workers", type=int, default=0, help="processes that read images")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def rate_at(step: int, *, peak: float, warmup: int, total: int) -> float:
    """Return the learning rate of a step: a line up to the peak, then half a cosine down to zero.

    Args:
        step: steps done so far.
        peak: the highest rate.
        warmup: steps of the line.
        total: steps of the whole training.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    return peak * (1 + math.cos(math.pi * (step - warmup) / max(1, total - warmup))) / 2


class Detector(NamedTuple):
    """The model, and what belongs to it."""

    model: RetinaNet
    anchors: Tensor
    """(a, 4)."""
    device: torch.device


class Epoch(NamedTuple):
    """What a pass over the training images gave, over all ranks."""

    loss: float
    """Mean over the anchors with an object."""
    images: int
    rate: float
    """Images per second."""


def make_detector(options: argparse.Namespace, classes: int) -> Detector:
    """Return a detector with random weights, on this rank's GPU if there is one."""
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", hvd.local_rank()) if cuda else torch.device("cpu")
    design = DESIGNS[options.model]
    model = RetinaNet(design, classes).to(device)
    anchors = anchor_grid(options.size, design.levels, design.anchor_scale).to(device)
    return Detector(model, anchors, device)


def train_epoch(
    detector: Detector,
    optimizer: torch.optim.Optimizer,
    data: CocoSplit,
    options: argparse.Namespace,
    epoch: int,
) -> Epoch:
    """Train on every image once; ranks share them."""
    begin = time.perf_counter()
    length = math.ceil(len(data) / hvd.size())
    steps = math.ceil(length / options.batch_size)
    indices = share(len(data), rank=hvd.rank(), size=hvd.size(), seed=(options.seed, epoch))
    totals = torch.zeros(3, dtype=torch.float64)
    detector.model.train()
    loader = batches(data, indices, length=length, size=options.batch_size, workers=options.workers)
    for step, batch in enumerate(loader, (epoch - 1) * steps):
        for group in optimizer.param_groups:
            group["lr"] = rate_at(
                step,
                peak=options.learning_rate * hvd.size(),
                warmup=round(options.warmup_epochs * steps),
                total=options.epochs * steps,
            )
        optimizer.zero_grad()
        objects = [found.to(detector.device) for found in batch.boxes]
        labels = [found.to(detector.device) for found in batch.labels]
        targets = match(detector.anchors, objects, labels)
        logits, offsets = detector.model(batch.pixels.to(detector.device))
        weights = batch.weights.to(detector.device)
        loss, owned = detection_loss(logits, offsets, targets, weights)
        # Horovod averages gradients over ranks. Dividing by the mean count of all ranks makes that
        # the gradient of one large batch, whatever objects and padding a rank has.
        mean_owned = hvd.allreduce(owned, op=hvd.Average, name="owned")
        (loss / mean_owned.clamp(min=1 / hvd.size())).backward()
        optimizer.step()
        totals += torch.stack([loss.detach(), owned, weights.sum()]).cpu()
    summed, owners, images = hvd.allreduce(totals, op=hvd.Sum, name="totals").tolist()
    if images != len(data):
        raise RuntimeError(f"an epoch saw {images:.0f} images, of {len(data)}")
    seconds = time.perf_counter() - begin
    return Epoch(summed / max(1, owners), int(images), images / seconds)


def validate(detector: Detector, data: CocoSplit, options: argparse.Namespace) -> Precision | None:
    """Return the precision over all validation images on rank 0, and None on others."""
    indices = range(hvd.rank(), len(data), hvd.size())
    loader = batches(
        data, indices, length=len(indices), size=options.batch_size, workers=options.workers
    )
    ids: list[int] = []
    results: list[dict[str, Any]] = []
    for batch in loader:
        found = detect(detector.model, detector.anchors, batch.pixels.to(detector.device))
        results += coco_results(data, batch, found)
        ids += batch.ids
    parts = hvd.allgather_object((ids, results))
    if hvd.rank() != 0:
        return None
    all_ids = [id for part, _ in parts for id in part]
    return average_precision(data.coco, [r for _, part in parts for r in part], all_ids)


def restore(
    detector: Detector, optimizer: torch.optim.Optimizer, options: argparse.Namespace
) -> int:
    """Give all ranks the state of rank 0, a checkpoint's if there is one; return its epoch."""
    state = None
    if hvd.rank() == 0:
        state = newest_checkpoint(options.output, settings(options))
        if state:
            print(f"goes on behind epoch {state['epoch']} of an earlier attempt", flush=True)
        state = state or {
            "epoch": 0,
            "model": detector.model.state_dict(),
            "optimizer": optimizer.state_dict(),
        }
    state = hvd.broadcast_object(state, root_rank=0, name="state")
    detector.model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return int(state["epoch"])


def settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options that a run shares with one that it goes on from."""
    places = ("data", "output", "workers")
    return {name: value for name, value in vars(options).items() if name not in places}


def main() -> None:
    """Train, and report loss and precision of each epoch."""
    options = parse()
    hvd.init()
    torch.manual_seed(options.seed + hvd.rank())
    train = CocoSplit(options.data, "train", size=options.size, flip=True)
    val = CocoSplit(options.data, "val", size=options.size)
    detector = make_detector(options, len(train.names))
    model = detector.model
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=1e-4)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    done = restore(detector, optimizer, options)
    first = hvd.rank() == 0
    if first:
        parameters = sum(p.numel() for p in model.parameters())
        print(
            f"{hvd.size()} ranks, {len(train)} + {len(val)} images, {len(train.names)} classes, "
            f"{parameters:,} parameters, {len(detector.anchors):,} anchors",
            flush=True,
        )
    saved = checkpoints(options.output)
    events = SummaryWriter(str(options.output / "tensorboard")) if first else None
    for epoch in range(done + 1, options.epochs + 1):
        result = train_epoch(detector, optimizer, train, options, epoch)
        precision = validate(detector, val, options)
        if events and precision:
            values = {
                "loss": result.loss,
                "mAP": precision.mean,
                "mAP50": precision.at_half,
                "images_per_second": result.rate,
            }
            state = {
                "epoch": epoch,
                "settings": settings(options),
                "names": train.names,
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
            }
            saved.save(epoch, lambda path, state=state: torch.save(state, path))
            print(
                f"epoch {epoch:2}  loss {result.loss:.4f}  mAP {precision.mean:.3f}  "
                f"mAP50 {precision.at_half:.3f}  {result.images} images seen, "
                f"{result.rate:.1f} images/sec",
                flush=True,
            )
            for name, value in values.items():
                events.add_scalar(name, value, epoch)
            events.flush()
            report(step=epoch, total=options.epochs, **values)
    weights = digest(value.cpu() for value in model.state_dict().values())
    require_identical(hvd.allgather_object(weights))
    if first:
        print(f"weights are identical on all {hvd.size()} ranks: {weights}", flush=True)
    hvd.shutdown()


if __name__ == "__main__":
    main()
