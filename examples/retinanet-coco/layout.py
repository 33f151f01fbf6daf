"""Where the files of a COCO data set lie in its folder."""

from pathlib import Path


def annotation_file(folder: Path, split: str) -> Path:
    """Return the annotations of a split, `train` or `val`.

    That is `annotations/instances_train.json`, or `instances_train2017.json`, as COCO's own archive
    calls it, where that is there.
    """
    original = folder / "annotations" / f"instances_{split}2017.json"
    return original if original.exists() else original.with_name(f"instances_{split}.json")


def image_folder(folder: Path, split: str) -> Path:
    """Return the folder of the images of a split."""
    return folder / "images" / f"{split}2017"
