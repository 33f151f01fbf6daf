"""What is right lints clean: the examples, and all that is made of right specs."""

from pathlib import Path

import pytest
from compiling import compile_spec
from loading import load_file

from bai.compiler.compilation import Defaults
from bai.compiler.emit.az import to_files
from bai.importing import import_
from bai.linter.driver.linter import Linter, Options

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(ROOT.glob("examples/*/experiment.yaml"))
# The golden specs that have nothing wrong with them.
GOLDEN = sorted(
    path.with_name("spec.yaml")
    for path in ROOT.glob("tests/compiler/golden/*/findings.txt")
    if not path.read_text().strip()
)
DEFAULTS = Defaults(resource_group="group", workspace="space", location="eastus")


def reported(path, cluster=None):
    linter = Linter(Options(cluster=cluster and str(cluster)))
    return [str(finding) for finding in linter.file(str(path)).findings]


def test_there_are_files_to_check():
    assert len(EXAMPLES) >= 4
    assert len(GOLDEN) >= 5


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_examples(path):
    assert reported(path) == []


@pytest.mark.parametrize("path", [*EXAMPLES, *GOLDEN], ids=lambda path: path.parent.name)
def test_what_is_compiled_and_imported(path, tmp_path):
    for number, spec in enumerate(load_file(path).specs):
        files = []
        for name, text in to_files(compile_spec(spec, DEFAULTS)).items():
            written = tmp_path / f"{number}-{name}"
            written.write_text(text)
            if written.suffix == ".json":
                files.append(written)
        # The files do not say which job runs on which cluster; of one job and one cluster that is
        # clear.
        clusters = [file for file in files if '"vmSize"' in file.read_text()]
        jobs = [file for file in files if '"nodeCount"' in file.read_text()]
        for file in files:
            beside = clusters if [file] == jobs and len(clusters) == 1 else []
            assert reported(file, *beside) == []
            imported = import_(file, *beside)
            back = file.with_suffix(".yaml")
            back.write_text(imported.text)
            assert not imported.text or reported(back) == []
