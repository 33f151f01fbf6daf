"""Draws what a trained detector finds in validation images."""

import argparse
from pathlib import Path

import torch
from anchors import anchor_grid
from coco_data import CocoSplit, batches
from evaluate import Detections, detect
from layout import image_folder
from model import DESIGNS, RetinaNet
from PIL import Image, ImageDraw

SIDE = 240
"""Width and height of an image in the picture, in pixels."""


def drawn(path: Path, found: Detections, names: list[str], scale: float) -> Image.Image:
    """Return an image with its detections of a score of 0.5 or more.

    Args:
        path: the image's file.
        found: its detections.
        names: names of the classes.
        scale: pixels that the model saw for each pixel of the file.
    """
    with Image.open(path) as file:
        image = file.convert("RGB")
    zoom = SIDE / max(image.size)
    image = image.resize((round(image.width * zoom), round(image.height * zoom)))
    canvas = ImageDraw.Draw(image)
    for box, score, label in zip(*(part.tolist() for part in found), strict=True):
        if score < 0.5:
            continue
        corners = [value / scale * zoom for value in box]
        canvas.rectangle(corners, outline="white", width=2)
        text = f"{names[label]} {score:.2f}"
        place = corners[0] + 2, max(0, corners[1] - 12)
        canvas.rectangle(canvas.textbbox(place, text), fill="white")
        canvas.text(place, text, fill="black")
    return image


def main() -> None:
    """Write a picture with a row of validation images."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data set")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="the picture: a PNG file")
    parser.add_argument("--images", type=int, default=4)
    options = parser.parse_args()

    state = torch.load(options.checkpoint, map_location="cpu", weights_only=True)
    design, size = DESIGNS[state["settings"]["model"]], state["settings"]["size"]
    model = RetinaNet(design, len(state["names"]))
    model.load_state_dict(state["model"])
    data = CocoSplit(options.data, "val", size=size)
    count = min(options.images, len(data))
    (batch,) = batches(data, range(count), length=count, size=count, workers=0)
    found = detect(model, anchor_grid(size, design.levels, design.anchor_scale), batch.pixels)
    picture = Image.new("RGB", (SIDE * count + 8 * (count - 1), SIDE), "white")
    for place, id in enumerate(batch.ids):
        path = image_folder(options.data, "val") / data.coco.loadImgs(id)[0]["file_name"]
        image = drawn(path, found[place], state["names"], batch.scales[place])
        picture.paste(image, (place * (SIDE + 8), 0))
    picture.save(options.out)


if __name__ == "__main__":
    main()
