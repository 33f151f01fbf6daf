"""The parts of the detection example, against values by hand and slower ways to the same."""

import importlib
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch")
pytest.importorskip("pycocotools")
pytest.importorskip("PIL")

FOLDER = Path(__file__).parents[2] / "examples/retinanet-coco"
NAMES = (
    "layout",
    "boxes",
    "anchors",
    "losses",
    "model",
    "shapes",
    "coco_data",
    "evaluate",
    "attempts",
)


@pytest.fixture(scope="module")
def parts():
    """The modules of the example by name; none of them stays importable."""
    before = set(sys.modules)
    sys.path.insert(0, str(FOLDER))
    try:
        yield {name: importlib.import_module(name) for name in NAMES}
    finally:
        sys.path.remove(str(FOLDER))
        for name in {*sys.modules} - before:
            if getattr(sys.modules[name], "__file__", None) == str(FOLDER / f"{name}.py"):
                del sys.modules[name]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A small data set of shapes."""
    folder = tmp_path_factory.mktemp("shapes")
    assert "now has 5 + 3 images" in make(folder)
    return folder


def make(folder, train=5, val=3, size=64):
    numbers = ["--train", str(train), "--val", str(val), "--size", str(size)]
    command = [sys.executable, str(FOLDER / "shapes.py"), str(folder), *numbers]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def boxes_of(numbers):
    return torch.tensor(numbers, dtype=torch.float32).reshape(-1, 4)


sizes = st.floats(1, 200)
corners = st.floats(0, 500)
box = st.tuples(corners, corners, sizes, sizes).map(
    lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])
)


def one_iou(a, b):
    width = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    height = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    area = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return width * height / (area - width * height)


class TestBoxes:
    def test_overlaps_by_hand(self, parts):
        first = boxes_of([0, 0, 10, 10])
        others = boxes_of([[0, 0, 10, 10], [5, 0, 15, 10], [0, 5, 5, 10], [10, 0, 20, 10]])
        expected = [[1, 1 / 3, 1 / 4, 0]]
        assert torch.allclose(parts["boxes"].iou(first, others), torch.tensor(expected))

    @given(st.lists(box, max_size=4), st.lists(box, max_size=4))
    def test_overlaps_of_all_pairs(self, parts, first, second):
        found = parts["boxes"].iou(boxes_of(first), boxes_of(second))
        assert found.shape == (len(first), len(second))
        for i, a in enumerate(first):
            for j, b in enumerate(second):
                assert float(found[i, j]) == pytest.approx(one_iou(a, b), abs=1e-3)

    @given(box, box)
    def test_what_is_encoded_is_decoded(self, parts, target, anchor):
        target, anchor = boxes_of(target), boxes_of(anchor)
        offsets = parts["boxes"].encode(target, anchor)
        again = parts["boxes"].decode(offsets, anchor)
        # Shifts of hundreds of anchors lose digits in 32 bits.
        assert (
            torch.allclose(again, target, atol=0.1, rtol=1e-4)
            or ((target[:, 2:] - target[:, :2]) / (anchor[:, 2:] - anchor[:, :2])).max() > 1000 / 16
        )

    def test_offsets_by_hand(self, parts):
        anchor, target = boxes_of([0, 0, 10, 10]), boxes_of([1, 0, 11, 20])
        offsets = parts["boxes"].encode(target, anchor)
        expected = [[1.0, 5.0, 0.0, math.log(2) / 0.2]]
        assert torch.allclose(offsets, torch.tensor(expected), atol=1e-5)

    def test_worse_detections_of_the_same_object_go(self, parts):
        boxes = boxes_of([[0, 0, 10, 10], [1, 0, 11, 10], [30, 30, 40, 40], [0, 0, 10, 10]])
        scores = torch.tensor([0.8, 0.9, 0.3, 0.5])
        labels = torch.tensor([0, 0, 0, 1])
        assert parts["boxes"].suppress(boxes, scores, labels, 0.5).tolist() == [1, 3, 2]

    @given(st.lists(st.tuples(box, st.floats(0, 1), st.integers(0, 2)), max_size=8))
    def test_suppression_like_the_slow_way(self, parts, found):
        kept = []
        for index in sorted(range(len(found)), key=lambda i: -torch.tensor(found[i][1]).item()):
            box, _, label = found[index]
            rivals = (found[k] for k in kept)
            if all(label != n or one_iou(box, b) <= 0.505 for b, _, n in rivals):
                kept.append(index)
        close = [
            one_iou(a, b) for i, (a, _, m) in enumerate(found) for b, _, n in found[:i] if m == n
        ]
        if any(0.495 < overlap < 0.515 for overlap in close):
            return  # 32 and 64 bits may disagree
        boxes, scores = boxes_of([b for b, _, _ in found]), torch.tensor([s for _, s, _ in found])
        labels = torch.tensor([n for _, _, n in found])
        assert parts["boxes"].suppress(boxes, scores, labels, 0.505).tolist() == kept


class TestAnchors:
    def test_grid(self, parts):
        grid = parts["anchors"].anchor_grid(96, (3, 4, 5), 2.0)
        assert grid.shape == ((12 * 12 + 6 * 6 + 3 * 3) * 9, 4)
        centres = (grid[:, :2] + grid[:, 2:]) / 2
        assert centres[0].tolist() == pytest.approx([4, 4])
        assert centres[9].tolist() == pytest.approx([12, 4])
        assert centres[-1].tolist() == pytest.approx([80, 80])
        assert parts["boxes"].areas(grid[:3]).tolist() == pytest.approx([16**2] * 3)
        ratios = (grid[:3, 3] - grid[:3, 1]) / (grid[:3, 2] - grid[:3, 0])
        assert sorted(ratios.tolist()) == pytest.approx([0.5, 1, 2])

    def test_targets_by_hand(self, parts):
        anchors = boxes_of([[0, 0, 10, 10], [0, 0, 10, 20], [0, 0, 10, 22.5], [50, 50, 60, 60]])
        found = parts["anchors"].match(
            anchors, [boxes_of([0, 0, 10, 10]), boxes_of([])], [torch.tensor([2]), torch.tensor([])]
        )
        background, ignored = parts["anchors"].BACKGROUND, parts["anchors"].IGNORED
        assert found.labels.tolist() == [[2, 2, ignored, background], [background] * 4]
        assert found.offsets[0, 0].tolist() == [0, 0, 0, 0]
        assert found.offsets[0, 1, 3] == pytest.approx(math.log(0.5) / 0.2)

    def test_every_object_has_its_best_anchor(self, parts):
        anchors = boxes_of([[0, 0, 10, 10], [50, 50, 60, 60]])
        found = parts["anchors"].match(anchors, [boxes_of([0, 0, 3, 3])], [torch.tensor([1])])
        assert found.labels.tolist() == [[1, parts["anchors"].BACKGROUND]]


class TestLosses:
    @given(st.floats(-8, 8), st.booleans())
    def test_focal_loss_is_the_formula(self, parts, logit, right):
        chance = 1 / (1 + math.exp(-logit))
        truth, balance = (chance, 0.25) if right else (1 - chance, 0.75)
        expected = -balance * (1 - truth) ** 2 * math.log(truth)
        found = parts["losses"].focal_loss(torch.tensor(logit), torch.tensor(float(right)))
        assert float(found) == pytest.approx(expected, rel=1e-3, abs=1e-6)

    def test_padding_and_ignored_anchors_do_not_count(self, parts):
        anchors = parts["anchors"]
        labels = torch.tensor([[1, anchors.BACKGROUND, anchors.IGNORED]] * 2)
        targets = anchors.Targets(labels, torch.zeros(2, 3, 4))
        logits, offsets = torch.zeros(2, 3, 2), torch.ones(2, 3, 4)
        loss, owned = parts["losses"].detection_loss(
            logits, offsets, targets, torch.tensor([1.0, 0.0])
        )
        # One right class, three wrong ones, and four offsets on the line of the smooth L1 loss.
        focal = (0.25 + 3 * 0.75) * 0.25 * math.log(2)
        assert float(loss) == pytest.approx(focal + 4 * (1 - 1 / 18), rel=1e-5)
        assert owned == 1


@pytest.mark.parametrize("name", ["tiny", "resnet34"])
def test_the_model_answers_for_every_anchor(parts, name):
    design = parts["model"].DESIGNS[name]
    model = parts["model"].RetinaNet(design, 3)
    grid = parts["anchors"].anchor_grid(96, design.levels, design.anchor_scale)
    logits, offsets = model(torch.zeros(1, 3, 96, 96))
    assert (logits.shape, offsets.shape) == ((1, len(grid), 3), (1, len(grid), 4))
    assert torch.sigmoid(logits).mean().item() == pytest.approx(0.01, abs=0.005)


class TestShapes:
    @pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
    def test_they_are_valid_for_pycocotools(self, parts, data):
        split = parts["coco_data"].CocoSplit(data, "train", size=64)
        assert (len(split), split.names) == (5, ["ellipse", "rectangle", "triangle"])
        for entry in split.coco.loadAnns(split.coco.getAnnIds()):
            mask = split.coco.annToMask(entry)
            assert mask.sum() == pytest.approx(entry["area"], rel=0.2)
            x, y, width, height = entry["bbox"]
            rows, columns = mask.any(axis=1).nonzero()[0], mask.any(axis=0).nonzero()[0]
            found = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
            assert found == pytest.approx([x, y, x + width, y + height], abs=1.5)

    def test_the_same_are_not_made_again(self, data):
        path = data / "annotations/instances_train.json"
        before = path.stat().st_mtime_ns
        assert "has its data already" in make(data)
        assert path.stat().st_mtime_ns == before

    def test_others_take_their_place(self, tmp_path):
        make(tmp_path, train=2, val=1)
        assert "now has 4 + 1 images" in make(tmp_path, train=4, val=1)

    def test_coco_itself_stays(self, tmp_path):
        path = tmp_path / "annotations/instances_val2017.json"
        path.parent.mkdir()
        path.write_text('{"info": {"description": "COCO 2017 Dataset"}}')
        assert "COCO 2017 Dataset" in make(tmp_path)
        assert [p.name for p in tmp_path.rglob("*")] == ["annotations", path.name]

    def test_several_may_make_them_at_once(self, tmp_path):
        command = [sys.executable, str(FOLDER / "shapes.py"), str(tmp_path), "--train", "40"]
        running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(3)]
        assert [process.wait() for process in running] == [0, 0, 0]
        assert len(list(tmp_path.rglob("*.jpg"))) == 140
        assert not list(tmp_path.rglob(".*"))


def coco_itself(folder):
    """Write a file as COCO's own: other names, ids with gaps, a crowd, a grey and a wide image."""
    from PIL import Image

    images = folder / "images/val2017"
    images.mkdir(parents=True)
    Image.new("RGB", (64, 32), (255, 0, 0)).save(images / "000000000139.jpg")
    Image.new("L", (32, 64), 128).save(images / "000000000285.jpg")
    crowd = {"counts": [0, 2048], "size": [32, 64]}
    objects = [
        {"id": 1, "image_id": 139, "category_id": 90, "bbox": [16, 8, 32, 16], "area": 512.0}
        | {"iscrowd": 0, "segmentation": [[16, 8, 48, 8, 48, 24, 16, 24]]},
        {"id": 2, "image_id": 139, "category_id": 1, "bbox": [0, 0, 64, 32], "area": 2048.0}
        | {"iscrowd": 1, "segmentation": crowd},
    ]
    content = {
        "info": {"description": "COCO 2017 Dataset"},
        "images": [
            {"id": 285, "file_name": "000000000285.jpg", "width": 32, "height": 64},
            {"id": 139, "file_name": "000000000139.jpg", "width": 64, "height": 32},
        ],
        "annotations": objects,
        "categories": [{"id": 1, "name": "person"}, {"id": 90, "name": "toothbrush"}],
    }
    (folder / "annotations").mkdir()
    (folder / "annotations/instances_val2017.json").write_text(json.dumps(content))


class TestReading:
    def test_coco_s_own_files(self, parts, tmp_path):
        coco_itself(tmp_path)
        split = parts["coco_data"].CocoSplit(tmp_path, "val", size=128)
        wide, grey = split[0], split[1]
        assert (wide.id, wide.scale, split.names) == (139, 2.0, ["person", "toothbrush"])
        assert wide.boxes.tolist() == [[32, 16, 96, 48]]
        assert wide.labels.tolist() == [1]
        assert wide.pixels.shape == (3, 128, 128)
        assert wide.pixels[0, :64].min() > 2
        assert wide.pixels[:, 64:].abs().max() == 0
        assert (grey.boxes.shape, grey.labels.shape) == ((0, 4), (0,))

    def test_a_mirrored_image_has_mirrored_boxes(self, parts, data):
        plain = parts["coco_data"].CocoSplit(data, "train", size=64)[0]
        mirrored = parts["coco_data"].CocoSplit(data, "train", size=64, flip=True)
        torch.manual_seed(0)
        (other,) = {
            s.pixels[0, 0, 0].item(): s
            for s in (mirrored[0] for _ in range(20))
            if not torch.equal(s.pixels, plain.pixels)
        }.values()
        assert torch.equal(other.pixels, plain.pixels.flip(2))
        assert torch.allclose(other.boxes[:, 0], 64 - plain.boxes[:, 2])
        assert torch.equal(other.boxes[:, 1], plain.boxes[:, 1])

    def test_padding_has_no_weight(self, parts, data):
        split = parts["coco_data"].CocoSplit(data, "train", size=64)
        found = list(parts["coco_data"].batches(split, [3, 1], length=3, size=2, workers=0))
        assert [batch.ids for batch in found] == [[4, 2], [1]]
        assert [batch.weights.tolist() for batch in found] == [[1, 1], [0]]


class TestEvaluation:
    def perfect(self, parts, split):
        """Return what an infallible model finds, in COCO's form, and the ids."""
        results, ids = [], []
        for batch in parts["coco_data"].batches(
            split, range(len(split)), length=len(split), size=2, workers=0
        ):
            found = [
                parts["evaluate"].Detections(b, torch.ones(len(b)), n)
                for b, n in zip(batch.boxes, batch.labels, strict=True)
            ]
            results += parts["evaluate"].coco_results(split, batch, found)
            ids += batch.ids
        return results, ids

    def test_the_truth_is_perfect_at_any_scale(self, parts, data):
        split = parts["coco_data"].CocoSplit(data, "val", size=160)
        precision = parts["evaluate"].average_precision(split.coco, *self.perfect(parts, split))
        assert precision == pytest.approx((1, 1))

    def test_nothing_found_is_zero(self, parts, data):
        split = parts["coco_data"].CocoSplit(data, "val", size=64)
        assert parts["evaluate"].average_precision(split.coco, [], split.ids) == (0, 0)

    def test_each_image_counts_once(self, parts, data):
        split = parts["coco_data"].CocoSplit(data, "val", size=64)
        results, ids = self.perfect(parts, split)
        for wrong in (ids[:-1], [*ids, ids[0]]):
            with pytest.raises(ValueError, match="images were evaluated, of 3"):
                parts["evaluate"].average_precision(split.coco, results, wrong)

    def test_objects_are_found_where_the_model_says(self, parts):
        anchors = boxes_of([[0, 0, 20, 20], [2, 0, 22, 20], [40, 40, 70, 70]])
        logits = torch.tensor([[3.0, -9], [2, -9], [-9, 1]])
        found = parts["evaluate"].find_objects(logits, torch.zeros(3, 4), anchors, 64)
        assert found.labels.tolist() == [0, 1]
        assert found.boxes.tolist() == [[0, 0, 20, 20], [40, 40, 64, 64]]
        assert found.scores.tolist() == pytest.approx([0.9526, 0.7311], abs=1e-4)


class TestAttempts:
    SETTINGS = {"epochs": 3, "model": "tiny"}

    def save(self, parts, output, epoch, **settings):
        """Save a checkpoint as an attempt with these outputs does."""
        state = {"epoch": epoch, "settings": self.SETTINGS | settings}
        parts["attempts"].checkpoints(output).save(epoch, lambda path: torch.save(state, path))

    def found(self, parts, output):
        return parts["attempts"].newest_checkpoint(output, self.SETTINGS)

    def test_the_first_one_begins_anew(self, parts, tmp_path):
        assert self.found(parts, tmp_path / "first/outputs") is None

    def test_one_goes_on_where_the_last_one_ended(self, parts, tmp_path):
        self.save(parts, tmp_path / "first/outputs", 2)
        assert self.found(parts, tmp_path / "second/outputs")["epoch"] == 2

    def test_one_that_runs_again_goes_on_itself(self, parts, tmp_path):
        self.save(parts, tmp_path / "first/outputs", 1)
        assert self.found(parts, tmp_path / "first/outputs")["epoch"] == 1

    @pytest.mark.parametrize(("epoch", "settings"), [(3, {}), (2, {"model": "resnet34"})])
    def test_a_training_that_ended_or_differs_is_left_alone(self, parts, tmp_path, epoch, settings):
        self.save(parts, tmp_path / "first/outputs", epoch, **settings)
        assert self.found(parts, tmp_path / "second/outputs") is None
        with pytest.raises(FileExistsError, match="ended, or had other options"):
            self.found(parts, tmp_path / "first/outputs")
