"""Cases of one code: CODE/CASE.yaml or .json, with its findings in CODE/CASE.txt.

What has no findings has no CASE.txt. A case is linted on its own, also where its YAML holds several
documents, for a machine with the files of its folder; ShellCheck is asked only in folders of codes
that `bai lint` alone finds. `BAI_UPDATE_GOLDEN=1 pytest tests/linter/rules/test_cases.py` writes
the findings anew: read the difference before you keep it.

Scripts of Python beside them are cases of tests/linter/python/test_script_corpus.py, and `page.txt`
is what is said of the wrong example on the code's page (tests/linter/pages/test_rule_pages.py).
"""

import os
from pathlib import Path

import pytest
from linting import findings_text

from bai.compiler.compilation import Defaults
from bai.linter.driver.examine import examine
from bai.linter.driver.filesystem import LocalFiles
from bai.linter.driver.shellcheck import ShellCheck
from bai.linter.environment import LintEnvironment
from bai.linter.rules.registry import all_rules
from bai.linter.rules.rule import Form
from bai.specs.codes import CODES, Stage
from bai.specs.parsed_file import ParsedFile

RULES = Path(__file__).parent
CASES = sorted(path for path in RULES.glob("BAI*/*") if path.suffix in (".json", ".yaml"))
DEFAULTS = Defaults("subscription", "group", "workspace", "location", "store")
UPDATE = os.environ.get("BAI_UPDATE_GOLDEN") == "1"
OTHERWISE = {"BAI206": "a mistake of the compiler, which test_rules.py makes"}
"""Codes that no file shows."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_case(case):
    asks = CODES[case.parent.name].stage is Stage.LINTING
    shell = ShellCheck() if asks else None
    machine = LintEnvironment(lambda: DEFAULTS, files=LocalFiles(), shell=shell)
    found = findings_text(case.read_bytes(), case.name, str(case.parent), machine)
    golden = case.with_suffix(".txt")
    if UPDATE and found:
        golden.write_text(found)
    elif UPDATE:
        golden.unlink(missing_ok=True)
    assert found == (golden.read_text() if golden.exists() else "")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_a_rule_without_its_keys_finds_nothing(case):
    file = ParsedFile(case.read_bytes(), case.name, str(case.parent))
    context = examine([file], LintEnvironment(lambda: DEFAULTS)).context
    for view in context.items:
        form = Form.SPEC if view.is_compiled else Form.FILE
        for rule in all_rules():
            fits = view.kind in (rule.kinds or [view.kind]) and rule.form in (None, form)
            if fits and rule.keys and view.keys.isdisjoint(rule.keys):
                assert list(rule.check(view, context)) == [], rule.code


def test_every_code_with_a_check_has_cases_or_its_page():
    folders = {path.name for path in RULES.glob("BAI*") if any(path.glob("*.txt"))}
    assert {rule.code for rule in all_rules()} - folders == set(OTHERWISE)


@pytest.mark.parametrize("folder", sorted(RULES.glob("BAI*")), ids=lambda folder: folder.name)
def test_a_folder_holds_cases_of_its_code(folder):
    goldens = list(folder.glob("*.txt"))
    cases = {path.stem for path in folder.iterdir() if path.suffix != ".txt"}
    assert {path.stem for path in goldens} <= cases | {"page"}
    assert any(f"{folder.name} " in path.read_text() for path in goldens)
