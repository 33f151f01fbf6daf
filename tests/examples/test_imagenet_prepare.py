"""ImageNet's archives become folders, whatever interrupts it, and folders become batches."""

import importlib
import io
import signal
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples/resnet50-imagenet"

np = pytest.importorskip("numpy")
Image = pytest.importorskip("PIL.Image")
scipy_io = pytest.importorskip("scipy.io")

TENCH, GOLDFISH = "n01440764", "n01443537"


def run(script, *arguments, code=0):
    """Run a script of the example to its end, and return what it wrote."""
    done = subprocess.run(
        [sys.executable, FOLDER / script, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stderr


def jpeg(shade):
    file = io.BytesIO()
    Image.new("RGB", (8, 8), (shade, 0, 0)).save(file, "JPEG")
    return file.getvalue()


def pack(files, mode="w"):
    """Return an archive of names and contents."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, data in files:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


@pytest.fixture
def data(tmp_path):
    """Archives of three tenches and two goldfishes to learn from, and one and two to test with."""
    tenches = pack([(f"{TENCH}_{number}.JPEG", jpeg(number)) for number in (7, 8, 9)])
    goldfishes = pack([(f"{GOLDFISH}_{number}.JPEG", jpeg(100 + number)) for number in (1, 2)])
    train = pack([(f"{TENCH}.tar", tenches), (f"{GOLDFISH}.tar", goldfishes)])
    names = [f"ILSVRC2012_val_0000000{number}.JPEG" for number in (2, 1, 3)]
    validation = pack([(name, jpeg(200 + place)) for place, name in enumerate(names)])
    (tmp_path / "ILSVRC2012_img_train.tar").write_bytes(train)
    (tmp_path / "ILSVRC2012_img_val.tar").write_bytes(validation)
    write_devkit(tmp_path, {TENCH: 3, GOLDFISH: 2}, "2\n1\n2\n")
    (tmp_path / "labels.txt").write_text(f"{GOLDFISH}\n{TENCH}\n{GOLDFISH}\n")
    return tmp_path


def write_devkit(folder, sizes, truth):
    """Write a development kit whose classes have the fields of the real one that are read."""
    fields = ("ILSVRC2012_ID", "WNID", "words", "num_children", "num_train_images")
    rows = [
        (number, name, "a fish", 0, size) for number, (name, size) in enumerate(sizes.items(), 1)
    ]
    rows.append((len(rows) + 1, "n02512053", "fish", 2, 0))
    meta = io.BytesIO()
    synsets = np.array(rows, dtype=[(field, object) for field in fields])[:, None]
    scipy_io.savemat(meta, {"synsets": synsets})
    name = "ILSVRC2012_devkit_t12"
    kit = [
        (f"{name}/data/meta.mat", meta.getvalue()),
        (f"{name}/data/ILSVRC2012_validation_ground_truth.txt", truth.encode()),
    ]
    (folder / f"{name}.tar.gz").write_bytes(pack(kit, "w:gz"))


def images(folder):
    """Return the paths of all images below a folder, and their content."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("n*/*")}


TRAIN = {
    f"{TENCH}/{TENCH}_7.JPEG": jpeg(7),
    f"{TENCH}/{TENCH}_8.JPEG": jpeg(8),
    f"{TENCH}/{TENCH}_9.JPEG": jpeg(9),
    f"{GOLDFISH}/{GOLDFISH}_1.JPEG": jpeg(101),
    f"{GOLDFISH}/{GOLDFISH}_2.JPEG": jpeg(102),
}
VALIDATION = {
    f"{GOLDFISH}/ILSVRC2012_val_00000001.JPEG": jpeg(201),
    f"{TENCH}/ILSVRC2012_val_00000002.JPEG": jpeg(200),
    f"{GOLDFISH}/ILSVRC2012_val_00000003.JPEG": jpeg(202),
}


@pytest.mark.parametrize("labels", [[], ["--validation-labels", "labels.txt"]])
def test_each_image_comes_to_its_class(data, labels):
    options = [data / option if option.endswith(".txt") else option for option in labels]
    written = run("prepare.py", data, *options)
    assert images(data / "train") == TRAIN
    assert images(data / "validation") == VALIDATION
    assert f"{data}/train: 5 images of 2 classes\n" in written


def test_what_is_there_is_left_alone_without_archives(data):
    run("prepare.py", data)
    for archive in data.glob("*.tar*"):
        archive.unlink()
    assert "3 images of 2 classes" in run("prepare.py", data)
    run("make_data.py", data)
    assert not list(data.glob("*.tar*"))


def test_it_goes_on_where_it_was_killed(data):
    """What was whole is not written again; an image that was cut off is."""
    partial = data / ".train.partial"
    (partial / TENCH).mkdir(parents=True)
    whole = partial / f"{TENCH}/{TENCH}_7.JPEG"
    whole.write_bytes(jpeg(7))
    cut = partial / f"{TENCH}/{TENCH}_8.JPEG"
    cut.write_bytes(jpeg(8)[:100])
    before = whole.stat()
    run("prepare.py", data)
    assert images(data / "train") == TRAIN
    assert (data / f"train/{TENCH}/{TENCH}_7.JPEG").stat().st_mtime_ns == before.st_mtime_ns
    assert not partial.exists()


def test_two_at_once_make_one_set(data):
    scripts = [
        subprocess.Popen([sys.executable, FOLDER / "prepare.py", data], stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    outputs = {script.communicate()[0] for script in scripts}
    assert [script.returncode for script in scripts] == [0, 0]
    assert len(outputs) == 1
    assert images(data / "train") == TRAIN


def test_killed_for_real_and_started_again(tmp_path):
    """SIGKILL after the first image has come, and long before the last one."""
    run("make_data.py", tmp_path, "--train", 300, "--validation", 5)
    script = subprocess.Popen([sys.executable, FOLDER / "prepare.py", tmp_path, "--workers", "1"])
    while not list(tmp_path.glob(".train.partial/*/*")):
        assert script.poll() is None
    script.send_signal(signal.SIGKILL)
    script.wait()
    assert not (tmp_path / "train").exists()
    written = run("prepare.py", tmp_path)
    assert "train: 3,000 images of 10 classes" in written
    assert "validation: 50 images of 10 classes" in written


@pytest.mark.parametrize(
    "name",
    [
        "../n01440764_1.JPEG",
        "/tmp/n01440764_1.JPEG",
        "a/n01440764_1.JPEG",
        "n01440764_1.JPEG\n",
        "..",
    ],
)
def test_a_member_with_an_unsafe_name_is_refused(data, name):
    packed = pack([(f"{TENCH}_1.JPEG", jpeg(1)), (name, jpeg(2))])
    (data / "ILSVRC2012_img_train.tar").write_bytes(pack([(f"{TENCH}.tar", packed)]))
    message = run("prepare.py", data, code=1)
    assert (
        message
        == f"prepare.py: {TENCH}.tar: unexpected member {name!r}, nothing of it was written\n"
    )
    assert not list(data.rglob("*.JPEG"))


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE]
)
def test_a_member_that_is_no_file_is_refused(data, kind):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        member = tarfile.TarInfo("ILSVRC2012_val_00000001.JPEG")
        member.type, member.linkname = kind, "/etc/passwd"
        archive.addfile(member)
    (data / "ILSVRC2012_img_val.tar").write_bytes(buffer.getvalue())
    assert "unexpected member 'ILSVRC2012_val_00000001.JPEG'" in run("prepare.py", data, code=1)
    assert not (data / "validation").exists()


def test_a_class_with_too_few_images_is_refused(data):
    write_devkit(data, {TENCH: 4, GOLDFISH: 2}, "2\n1\n2\n")
    message = run("prepare.py", data, code=1)
    assert (
        message == f"prepare.py: ILSVRC2012_img_train.tar: class {TENCH} has 3 images, expected 4\n"
    )
    assert not (data / "train").exists()


def test_labels_for_another_number_of_images_are_refused(data):
    write_devkit(data, {TENCH: 3, GOLDFISH: 2}, "2\n1\n")
    message = run("prepare.py", data, code=1)
    assert message == "prepare.py: ILSVRC2012_img_val.tar has 3 images for 2 labels\n"


def test_a_label_that_is_none_is_shown(data):
    (data / "labels.txt").write_text(f"{TENCH}\ntench\n")
    labels = data / "labels.txt"
    message = run("prepare.py", data, "--validation-labels", labels, code=1)
    assert message == f"prepare.py: {labels}:2: 'tench' is no WordNet id such as n01440764\n"


def test_an_archive_that_is_cut_off_is_refused(data):
    archive = data / "ILSVRC2012_img_val.tar"
    with tarfile.open(archive) as images:
        cut = images.getmembers()[-1].offset_data + 10
    archive.write_bytes(archive.read_bytes()[:cut])
    assert "is cut off or no archive" in run("prepare.py", data, code=1)
    assert not (data / "validation").exists()


def test_a_missing_archive_is_named(tmp_path):
    message = run("prepare.py", tmp_path, code=1)
    assert message.startswith(f"prepare.py: {tmp_path}/ILSVRC2012_img_train.tar is missing")


def test_made_archives_are_never_put_beside_real_ones(data):
    (data / "ILSVRC2012_img_train.tar").unlink()
    before = {path.name: path.read_bytes() for path in data.glob("*.tar*")}
    run("make_data.py", data)
    assert {path.name: path.read_bytes() for path in data.glob("*.tar*")} == before


@pytest.fixture
def example(monkeypatch):
    """Return a function that imports a module of the example."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(FOLDER)
    yield importlib.import_module
    for name in set(sys.modules) - before:
        if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == FOLDER:
            del sys.modules[name]


@pytest.fixture
def loader(data, example):
    """Return a function that makes the loader of a rank."""
    run("prepare.py", data)
    folder = example("images").FolderImages(data / "train")

    def make(rank, ranks, batch=2, source=folder):
        return example("batches").Loader(source, 8, batch, rank, ranks, workers=2)

    return make


def test_images_have_the_size_and_type_that_networks_take(loader):
    [first, *_] = loader(0, 1).training(0, seed=1)
    assert (first.images.shape, first.images.dtype) == ((2, 8, 8, 3), np.float32)
    assert (first.labels.dtype, first.weights.dtype) == (np.int64, np.float32)


def test_validation_sees_the_middle_of_each_image(loader):
    batches = list(loader(0, 1, batch=5).validation())
    red = np.sort((batches[0].images[:, 4, 4, 0] * 0.229 + 0.485) * 255)
    assert red == pytest.approx([7, 8, 9, 101, 102], abs=4)


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("batch", [1, 2, 4])
@pytest.mark.parametrize("count", [5, 7, 12])
def test_each_image_is_seen_once_and_weighs_the_same(loader, example, ranks, batch, count):
    source = example("images").SyntheticImages(count)
    loaders = [loader(rank, ranks, batch, source) for rank in range(ranks)]
    for number in range(2):
        epochs = [list(each.training(number, seed=3)) for each in loaders]
        seen = [batch.labels[batch.weights > 0] for epoch in epochs for batch in epoch]
        assert sorted(np.concatenate(seen)) == list(range(count))
        for step in zip(*epochs, strict=True):
            weights = np.concatenate([batch.weights for batch in step])
            assert weights.mean() == pytest.approx(1)
            assert len(set(weights[weights > 0])) == 1


def test_order_and_parts_change_with_the_epoch_and_the_seed_alone(loader):
    def look(epoch, seed):
        return np.concatenate([batch.images for batch in loader(0, 1).training(epoch, seed)])

    assert np.array_equal(look(0, 1), look(0, 1))
    assert not np.array_equal(look(0, 1), look(1, 1))
    assert not np.array_equal(look(0, 1), look(0, 2))


def test_random_parts_lie_in_the_image(example):
    random = np.random.default_rng(1)
    shares = set()
    for _ in range(1000):
        left, upper, right, lower = example("images").random_box(300, 200, random)
        assert 0 <= left < right <= 300
        assert 0 <= upper < lower <= 200
        assert 3 / 4 - 1e-9 <= (right - left) / (lower - upper) <= 4 / 3 + 1e-9
        shares.add((right - left) * (lower - upper) / 60_000)
    assert 0.08 <= min(shares) < 0.1 < 0.8 < max(shares) <= 1


def test_large_jpeg_images_are_decoded_small_and_in_place(example, tmp_path):
    """The middle of an image that is black on its left and white on its right side."""
    (tmp_path / "n00000001").mkdir()
    wide = np.zeros((800, 1200, 3), np.uint8)
    wide[:, 600:] = 255
    Image.fromarray(wide).save(tmp_path / "n00000001/a.JPEG")
    pixels = example("images").FolderImages(tmp_path).load(0, 32, None)
    assert pixels.shape == (32, 32, 3)
    assert pixels[:, :15].max() < 20
    assert pixels[:, 17:].min() > 235


def test_top_1_and_top_5_leave_out_what_fills_up(example):
    scores = np.array(
        [[9, 1, 2, 3, 4, 5], [9, 1, 2, 3, 4, 5], [9, 1, 2, 3, 4, 5], [1, 0, 0, 0, 0, 0]]
    )
    hits = example("results").hits(scores, np.array([0, 5, 1, 0]), np.array([1, 1, 1, 0]))
    assert hits.tolist() == [1, 2, 3]


def test_an_epoch_that_left_images_out_is_an_error(example):
    epoch = example("results").Epoch(3, 1.0, 599, 2.0, np.array([1, 2, 200.0]))
    with pytest.raises(RuntimeError, match="epoch 3 saw 599 images of 600"):
        epoch.require_each_once(600, 200)


def test_the_learning_rate_warms_up_and_falls(example, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["train.py", "--batch-size", "32"])
    options = example("options").read_options("")
    rates = [
        example("options").learning_rate(options, epoch, 8) for epoch in (0, 2.5, 5, 29, 30, 60, 80)
    ]
    one = 0.1 / 8
    assert rates == pytest.approx([one, 4.5 * one, 0.1, 0.1, 0.01, 0.001, 0.0001])


def test_other_options_have_other_checkpoints(example, monkeypatch):
    def folder(*arguments):
        monkeypatch.setattr(sys, "argv", ["train.py", *arguments])
        return example("options").checkpoint_folder(example("options").read_options(""), "torch")

    assert folder() == folder("--workers", "8")
    assert folder("--data", "/attempt-1/small") == folder("--data", "/attempt-2/small")
    assert len({folder(), folder("--epochs", "8"), folder("--data", "/attempt-1/large")}) == 3
