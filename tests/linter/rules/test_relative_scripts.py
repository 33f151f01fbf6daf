"""Commands that run a script from beside the spec, which the job does not get."""

import pytest
from linting import lint
from loading import WITH_FOLDER

from bai.compiler.compilation import Defaults
from bai.linter.driver.filesystem import LocalFiles
from bai.linter.environment import LintEnvironment


@pytest.fixture
def found(tmp_path):
    """Return a function for what BAI710 marks in a job, which is given as lines."""
    (tmp_path / "sub").mkdir()
    for name in ("train.py", "run.sh", "sub/train.py"):
        (tmp_path / name).write_text("")
    environment = LintEnvironment(lambda: Defaults("s", "g", "w", "l", "store"), files=LocalFiles())

    def check(*lines):
        text = WITH_FOLDER + "".join(f"      {line}\n" for line in lines)
        findings = lint(text.encode(), "x.yaml", str(tmp_path), environment)
        spans = [each.span for each in findings if each.code == "BAI710"]
        rows = text.splitlines()
        return [rows[span.line - 1][span.column - 1 : span.end_column - 1] for span in spans]

    return check


@pytest.mark.parametrize(
    "command",
    [
        "python «train.py»",
        "python3 -u «./train.py» --epochs 3",
        "torchrun --nproc_per_node 2 «train.py»",
        "python -m torch.distributed.launch --nproc_per_node=2 «sub/train.py»",
        "mpirun -np 2 python «train.py» | tee log",
        "horovodrun -np 2 python «train.py»",
        "accelerate launch «train.py»",
        "bash «run.sh»",
        "«./run.sh» 3",
        ". «run.sh»",
        "pip install torch && python «train.py»",
        "set -e; export A=1 B=2; echo start; B=2 python «train.py»",
    ],
)
@pytest.mark.parametrize("toolkit", ["custom", "customMpi"])
def test_a_script_beside_the_spec_is_not_in_the_directory_of_the_job(found, command, toolkit):
    marked = command.partition("«")[2].partition("»")[0]
    text = command.replace("«", "").replace("»", "")
    assert found(f"{toolkit}: {{command: '{text}'}}") == [marked]


@pytest.mark.parametrize(
    "command",
    [
        "python other.py",
        "python ${mounts.code}/train.py",
        "cd ${mounts.code} && python train.py",
        "cd ${mounts.code}; bash run.sh",
        "cp -r ${mounts.code}/. . && python train.py",
        "git clone https://github.com/a/b . && python train.py",
        "wget https://a/train.py; python train.py",
        "cat ${mounts.code}/train.py > train.py; python train.py",
        "echo 1 > train.py; python train.py",
        "X=$(cp ${mounts.code}/* .); python train.py",
        "(cd ${mounts.code}; python train.py)",
        "if [ -f train.py ]; then python train.py; fi",
        "test -f train.py && python train.py",
        "pushd ${mounts.code}; python train.py",
        "run.sh",
        "python -c train.py",
        "python -m train.py",
        "docker run -v ${mounts.code}:/x -w /x y python train.py",
        "mpirun -wdir ${mounts.code} python train.py",
        "python $SCRIPT/train.py",
        "python ../train.py",
        "python /train.py",
    ],
)
def test_what_may_be_there_is_left_alone(found, command):
    assert found(f"custom: {{command: '{command}'}}") == []


@pytest.mark.parametrize(
    ("line", "marked"),
    [
        ("preparation: cp ${mounts.code}/train.py .", []),
        ("preparation: pip install torch", ["train.py"]),
        ("image: ubuntu", []),
    ],
)
def test_a_preparation_or_an_image_may_bring_it(found, line, marked):
    assert found(line, "custom: {command: python train.py}") == marked


@pytest.mark.parametrize(
    ("script", "hint"),
    [
        ("\"'/a/train.py'\"", "write /a/train.py: quotes are a part of the path"),
        ("“/a/train.py”", "write /a/train.py: quotes are a part of the path"),
        ("'\"train.py\"'", "write ${mounts.code}/train.py"),
    ],
)
def test_quotes_are_no_part_of_what_to_write(tmp_path, script, hint):
    text = f"{WITH_FOLDER}      pyTorch: {{script: {script}}}\n"
    found = lint(text.encode(), "x.yaml", str(tmp_path), LintEnvironment(files=LocalFiles()))
    assert [each.hint for each in found if each.code == "BAI710"] == [hint]


def test_nothing_is_said_without_a_look_at_files(tmp_path):
    (tmp_path / "train.py").touch()
    text = WITH_FOLDER + "      custom: {command: python train.py}\n"
    found = lint(text.encode(), "x.yaml", str(tmp_path), LintEnvironment())
    assert "BAI710" not in [each.code for each in found]


def test_a_plan_says_it_too(bai):
    (bai.folder / "train.py").touch()
    (bai.folder / "x.yaml").write_text(WITH_FOLDER + "      custom: {command: python train.py}\n")
    done = bai.run("diff", "x.yaml", code=1)
    assert (done.stdout + done.stderr).count("BAI710 script 'train.py'") == 1
