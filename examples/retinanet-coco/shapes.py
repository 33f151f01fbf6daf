"""Makes a data set of coloured shapes, in the folders and in the format of COCO.

`python shapes.py FOLDER` writes `annotations/instances_train.json` and `instances_val.json`, and
the images in `images/train2017` and `images/val2017`. A folder with COCO itself, or with the same
shapes, stays as it is. Every file is there whole or not at all, and the annotations come last, so
that several nodes may do this at once, and the next run makes up for one that was killed.
"""

import argparse
import io
import json
import math
import re
from pathlib import Path
from random import Random
from tempfile import NamedTemporaryFile
from typing import Any

from layout import annotation_file, image_folder
from PIL import Image, ImageDraw

CATEGORIES = {1: "ellipse", 2: "rectangle", 4: "triangle"}
"""Id -> name. As in COCO, there are gaps between the ids."""

FIRST_IDS = {"train": 1, "val": 500_001}

Box = tuple[float, float, float, float]
Polygon = list[tuple[float, float]]


def outline(name: str, box: Box) -> Polygon:
    """Return the corners of a shape that touches all sides of a box (x1, y1, x2, y2)."""
    x1, y1, x2, y2 = box
    if name == "rectangle":
        return [(x1, y1), (x2, y1), (x2, y2), (x1, y2)]
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    if name == "triangle":
        return [(x, y1), (x2, y2), (x1, y2)]
    turns = [2 * math.pi * step / 40 for step in range(40)]
    return [(x + (x2 - x) * math.cos(t), y + (y2 - y) * math.sin(t)) for t in turns]


def area(corners: Polygon) -> float:
    """Return the area inside a polygon."""
    following = [*corners[1:], corners[0]]
    pairs = zip(corners, following, strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2


def apart(box: Box, others: list[Box]) -> bool:
    """Say whether a box touches none of the others."""
    return all(
        box[2] < other[0] or other[2] < box[0] or box[3] < other[1] or other[3] < box[1]
        for other in others
    )


def place_objects(random: Random, size: int) -> list[tuple[int, Box]]:
    """Return one to four objects (category, box) of an image, `size` pixels wide and high."""
    placed: list[tuple[int, Box]] = []
    wanted = random.randint(1, 4)
    for _ in range(50):
        if len(placed) == wanted:
            break
        width, height = (random.uniform(0.15, 0.45) * size for _ in range(2))
        x, y = random.uniform(0, size - width), random.uniform(0, size - height)
        box = (round(x, 2), round(y, 2), round(x + width, 2), round(y + height, 2))
        if apart(box, [other for _, other in placed]):
            placed.append((random.choice(list(CATEGORIES)), box))
    return placed


def draw(random: Random, size: int, objects: list[tuple[int, Box]]) -> bytes:
    """Return a JPEG of objects on a cloudy ground."""
    cloud = Image.frombytes("RGB", (8, 8), bytes(random.randint(60, 180) for _ in range(8 * 8 * 3)))
    image = cloud.resize((size, size), Image.Resampling.BICUBIC)
    canvas = ImageDraw.Draw(image)
    for category, box in objects:
        colour = tuple(random.choice((0, 200)) + random.randint(0, 55) for _ in "rgb")
        canvas.polygon(outline(CATEGORIES[category], box), fill=colour)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=92)
    return buffer.getvalue()


def annotation(id: int, image_id: int, category: int, box: Box) -> dict[str, Any]:
    """Return an object as an entry of COCO's `annotations`."""
    x1, y1, x2, y2 = box
    corners = outline(CATEGORIES[category], box)
    return {
        "id": id,
        "image_id": image_id,
        "category_id": category,
        "bbox": [x1, y1, round(x2 - x1, 2), round(y2 - y1, 2)],
        "area": round(area(corners), 2),
        "iscrowd": 0,
        "segmentation": [[round(value, 2) for corner in corners for value in corner]],
    }


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under another name, and then give it its own."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)


def make_split(folder: Path, split: str, *, count: int, size: int, seed: int) -> dict[str, Any]:
    """Write the images of a split, and return COCO's lists of them and of their objects."""
    images: list[dict[str, Any]] = []
    objects: list[dict[str, Any]] = []
    target = image_folder(folder, split)
    target.mkdir(parents=True, exist_ok=True)
    for id in range(FIRST_IDS[split], FIRST_IDS[split] + count):
        random = Random(f"{seed} {id}")
        placed = place_objects(random, size)
        name = f"{id:012}.jpg"
        write_whole(target / name, draw(random, size, placed))
        images.append({"id": id, "file_name": name, "width": size, "height": size})
        objects += [
            annotation(10 * id + number, id, category, box)
            for number, (category, box) in enumerate(placed)
        ]
    categories = [{"id": i, "name": n, "supercategory": "shape"} for i, n in CATEGORIES.items()]
    return {"images": images, "annotations": objects, "categories": categories}


def found_description(folder: Path, split: str) -> str | None:
    """Return how the annotations of a split describe themselves, None where there are none.

    Only the beginning of the file is read: COCO's has 450 MB.
    """
    path = annotation_file(folder, split)
    if not path.exists():
        return None
    with path.open() as file:
        found = re.search(r'"description": *"([^"]*)"', file.read(1000))
    return found[1] if found else ""


def main() -> None:
    """Make what is not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--train", type=int, default=600, help="images to train on")
    parser.add_argument("--val", type=int, default=100, help="images to validate with")
    parser.add_argument("--size", type=int, default=96, help="pixels, of either side")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    counts = {"train": options.train, "val": options.val}
    made = {s: f"shapes.py: {n} of {options.size} px, {options.seed}" for s, n in counts.items()}
    found = {split: found_description(options.folder, split) for split in counts}
    foreign = [d for d in found.values() if d is not None and not d.startswith("shapes.py")]
    if foreign or found == made:
        print(f"{options.folder} has its data already: {foreign[0] if foreign else found['train']}")
        return
    written = {}
    for split, count in counts.items():
        lists = make_split(options.folder, split, count=count, size=options.size, seed=options.seed)
        written[split] = {"info": {"description": made[split]}, "licenses": [], **lists}
    for split, content in written.items():
        path = annotation_file(options.folder, split)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(content).encode())
    print(f"{options.folder} now has {options.train} + {options.val} images of shapes")


if __name__ == "__main__":
    main()
