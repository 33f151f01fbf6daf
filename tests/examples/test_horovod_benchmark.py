"""The benchmark of the old recipes: its output, its numbers, its models, its jobs under MPI."""

import json
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import pytest
from trainings import UNHURRIED, to_the_end

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/horovod-benchmark"
SCRIPTS = EXAMPLE / "scripts/horovod/cnn_benchmarks"
SPEC = EXAMPLE / "experiment.yaml"
SMALL = ("-p", "model=lenet", "-p", "batch_size=4", "-p", "num_batches=20")

HEADER = """\
{framework}
Model:       lenet
Dataset:     cifar10 (synthetic)
Mode:        training
Batch size:  8 global
             4 per device
Num batches: 20
Num epochs:  0.00
Devices:     ['horovod/cpu:0', 'horovod/cpu:1']
Data format: {layout}
Optimizer:   sgd
Variables:   horovod
==========
"""
"""What the old page prints, but for the two lines about sessions of TensorFlow 1."""
STEP = r"{} *images/sec: \d+\.\d \+/- \d+\.\d \(jitter = \d+\.\d\) +\d+\.\d{{3}}"
RULE = "-" * 64


@pytest.fixture
def part(monkeypatch):
    """Return a function that imports a module of the example."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    monkeypatch.syspath_prepend(str(EXAMPLE))

    def load(name):
        module = __import__(name)
        for own in [*SCRIPTS.glob("*.py"), *EXAMPLE.glob("*.py")]:
            # Other examples have modules of these names, too.
            monkeypatch.delitem(sys.modules, own.stem, raising=False)
        return module

    return load


def ended(bai, *more):
    """Apply the small benchmark, and return what rank 0 printed, with tabs as a terminal has."""
    said = to_the_end(bai, "apply", SPEC, *SMALL, *more)
    lines = bai.run("logs", "horovod_benchmark", "--rank", "0").stdout
    return said, [line.removeprefix("0 | ").expandtabs() for line in lines.splitlines()]


def check_format(lines, framework, layout):
    begin = next(i for i, line in enumerate(lines) if line.startswith(framework.partition(":")[0]))
    found = [line for line in lines[begin:] if not re.match(r"[IW]\d{4} |WARNING", line)]
    header = HEADER.format(framework=framework, layout=layout).splitlines()
    assert found[: len(header)] == header
    rest = found[len(header) :]
    assert rest[:4] == [
        "Generating model",
        "Running warm up",
        "Done warm up",
        "Step    Img/sec total_loss",
    ]
    for step, line in zip((1, 10, 20), rest[4:7], strict=True):
        assert re.fullmatch(STEP.format(step), line), line
    assert rest[7] == rest[9] == RULE
    assert re.fullmatch(r"total images/sec: \d+\.\d\d", rest[8])
    assert re.fullmatch(r"weights are identical on all 2 ranks: [0-9a-f]{16}", rest[10])
    assert len(rest) == 11
    return [float(line.split()[-1]) for line in rest[4:7]]


@pytest.mark.horovod
@UNHURRIED
def test_two_ranks_write_what_the_old_page_prints(bai):
    torch = pytest.importorskip("torch")
    pytest.importorskip("horovod")
    said, lines = ended(bai)
    version = ".".join(torch.__version__.split(".")[:2])
    losses = check_format(lines, f"PyTorch:     {version}", "NCHW")
    # The same few images in each step: a network that is trained knows them better and better.
    assert losses[0] > losses[1] > losses[2]
    assert "preparation | Horovod 0.28.1\n" in said
    metrics = dict(re.findall(r"(\w+) ([\d.e+]+)", said.partition("  metrics ")[2]))
    assert float(metrics["total_images_per_second"]) > float(metrics["images_per_second"]) > 0


@pytest.mark.horovod
@pytest.mark.tensorflow
@UNHURRIED
def test_two_ranks_write_the_same_with_tensorflow(bai, keras_python):
    bai.context(slots=2, python=keras_python)
    _, lines = ended(bai, "-p", "framework=tensorflow")
    version = next(line for line in lines if line.startswith("TensorFlow: "))
    losses = check_format(lines, version, "NHWC")
    assert losses[0] > losses[2]


@pytest.mark.horovod
@UNHURRIED
def test_it_runs_under_open_mpi_over_the_transport_of_the_spec(bai, needs_mpirun):
    pytest.importorskip("torch")
    horovod = pytest.importorskip("horovod.torch")
    if not horovod.mpi_built():
        pytest.skip("this Horovod was built without MPI")
    said = to_the_end(bai, "apply", EXAMPLE / "openmpi.yaml", *SMALL)
    # Without the spec's variables it is vader, shared memory.
    assert set(re.findall(r"mca: bml: Using (\w+) btl for send to", said)) == {"self", "tcp"}
    assert re.search("weights are identical on all 2 ranks: [0-9a-f]{16}\n", said)
    assert "job/openmpi succeeded" in said


@UNHURRIED
@pytest.mark.parametrize(("fabrics", "provider"), [("shm", []), ("ofi", ["tcp"])])
def test_the_intel_mpi_benchmarks_run_on_the_fabric_of_the_spec(bai, intel_mpi, fabrics, provider):
    own = ("-p", f"impi={intel_mpi}", "-p", f"fabrics={fabrics}")
    said = to_the_end(bai, "apply", EXAMPLE / "impi.yaml", *own)
    assert "0 | [0] MPI startup(): Intel(R) MPI Library" in said
    # Within shared memory alone it asks for none.
    assert re.findall(r"MPI startup\(\): libfabric provider: (\w+)", said) == provider
    tables = re.findall(r"# Benchmarking (\w+) *\n0 \| # #processes = 2", said)
    assert tables == ["PingPong", "Allreduce"]
    assert "job/impi succeeded" in said


def test_an_intel_mpi_that_is_not_there_is_named(bai):
    environment = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    if shutil.which("mpirun", path=environment["PATH"]):
        environment = {"PATH": str(bai.folder)}
        for name in ("bash", "sh"):
            (bai.folder / name).symlink_to(shutil.which(name))
    said = bai.run("apply", EXAMPLE / "impi.yaml", code=1, env=environment).stdout
    assert "JobLaunchFailed: there is no program 'mpirun' in PATH" in said


@pytest.mark.horovod
@UNHURRIED
def test_the_sweep_gives_a_table_and_a_plot(bai):
    pytest.importorskip("torch")
    pytest.importorskip("horovod")
    pytest.importorskip("matplotlib")
    shutil.copytree(EXAMPLE, bai.folder / "example")
    text = (EXAMPLE / "scaling.yaml").read_text()
    text = text.replace("[1, 2, 4]", "[1, 2]").replace("resnet20", "lenet")
    text = text.replace("num_batches: 50", "num_batches: 5")
    (bai.folder / "example/scaling.yaml").write_text(text)
    done = subprocess.run(
        [sys.executable, "example/scaling.py", "--plot", "scaling.svg"],
        cwd=bai.folder,
        env=bai.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    head, *rows = done.stdout.splitlines()
    assert head.split() == ["processes", "images/sec", "per", "process", "efficiency"]
    one, two = (row.removesuffix(" %").split() for row in rows)
    assert (one[0], one[3]) == ("1", "100")
    assert two[0] == "2"
    assert float(two[3]) == pytest.approx(50 * float(two[1]) / float(one[1]), abs=1)
    assert (bai.folder / "scaling.svg").read_text().startswith("<?xml")


def test_the_document_s_job_is_the_same_spec_with_its_parameters(bai):
    """What the seed compiles to, but for the container and where the script lies."""
    document = ("model=resnet101", "batch_size=64", "num_batches=100", "nodes=2", "processes=4")
    own = [word for each in (*document, "scripts=azureFile:scripts") for word in ("-p", each)]
    scaled, seed = (
        {
            resource["type"].rpartition("/")[2]: resource["properties"]
            for resource in json.loads(bai.run("compile", *arguments).stdout)
            if "properties" in resource
        }
        for arguments in ((SPEC, *own), (EXAMPLE / "seed.yaml",))
    )
    assert scaled["clusters"] == seed["clusters"]
    job, printed = scaled["jobs"], seed["jobs"]
    for key in ("nodeCount", "jobPreparation", "stdOutErrPathPrefix"):
        assert job[key] == printed[key]
    shares, as_printed = (
        [each["relativeMountPath"] for each in found["mountVolumes"]["azureFileShares"]]
        for found in (job, printed)
    )
    assert sorted(shares) == sorted(as_printed) == ["logs", "scripts"]
    ours, theirs = job["horovodSettings"], printed["horovodSettings"]
    assert ours["processCount"] == theirs["processCount"] == 8
    words = theirs["commandLineArgs"].split()
    assert ours["commandLineArgs"].split() == [*words, "--num_batches", "100"]


def test_speed_is_that_of_tf_cnn_benchmarks(part):
    """The mean over the time, the standard error, and the scaled median absolute deviation."""
    seconds = [1.0, 2.0, 4.0, 2.0]
    speeds = [8.0, 4.0, 2.0, 4.0]
    mean, uncertainty, jitter = part("measuring").speed(8, seconds)
    assert mean == pytest.approx(4 * 8 / 9)
    assert uncertainty == pytest.approx(statistics.pstdev(speeds) / 2)
    assert jitter == pytest.approx(1.4826 * 1.0)
    assert part("measuring").speed(8, [2.0]) == (4.0, 0.0, 0.0)


def test_lines_are_those_of_the_old_page(part):
    measuring = part("measuring")
    seconds = [64 / 28.2]
    line = measuring.step_line(1, 64, seconds, 10.05)
    assert line.expandtabs() == "1       images/sec: 28.2 +/- 0.0 (jitter = 0.0) 10.050"


def test_the_rows_of_a_table_compare_with_one_process(part):
    scaling = part("scaling")
    text = scaling.table(scaling.rows({2: 180.0, 1: 100.0}))
    assert text.splitlines() == [
        "processes  images/sec  per process  efficiency",
        "        1      100.00       100.00       100 %",
        "        2      180.00        90.00        90 %",
    ]


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("resnet50", 25_557_032),
        ("resnet101", 44_549_160),
        ("inception3", 23_834_568),
        ("vgg16", 138_357_544),
        ("resnet20", 272_474),
    ],
)
def test_models_have_the_published_number_of_weights(part, name, weights):
    """For ImageNet those of torchvision's models; Inception without its auxiliary classifier."""
    torch = pytest.importorskip("torch")
    shape = part("options").SHAPES[name]
    with torch.device("meta"):
        model = part("models_torch").MODELS[name](shape.classes)
        assert model(torch.empty(2, 3, shape.size, shape.size)).shape == (2, shape.classes)
    assert sum(weight.numel() for weight in model.parameters()) == weights


@pytest.mark.parametrize("option", ["--batch_size 0", "--num_warmup_batches -1", "--model vgg11"])
def test_wrong_options_are_refused(part, monkeypatch, capsys, option):
    monkeypatch.setattr(sys, "argv", ["benchmark", *option.split()])
    with pytest.raises(SystemExit):
        part("options").read_options()
    assert f"argument {option.split()[0]}: " in capsys.readouterr().err
