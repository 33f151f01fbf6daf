"""Short references in wrong forms, and braces that are no references."""

import pytest

from bai.fixing import fixed
from bai.linting import Linter

SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {{name: t, resourceGroup: g, workspace: w, location: eastus}}
spec:
  clusters: {{c: {{vmSize: STANDARD_D2_V2, scale: 1}}}}
  jobs:
    j:
      nodeCount: 1
      mounts: {{code: "azureFile:code", results: "azureFile:results"}}
      inputs: {{DATA: "${{mounts.code}}/data"}}
      logs: ${{mounts.results}}
      environment: {{DEBUG: "1"}}
      custom:
        command: |
          ls ${{inputs.DATA}} {}
"""


def found(text):
    return Linter().content(SPEC.format(text).encode(), "spec.yaml").findings


@pytest.mark.parametrize(
    ("written", "problem", "meant"),
    [
        ("${mounts.results", "is not closed", "${mounts.results}"),
        ("${mounts.results/a", "is not closed", "${mounts.results}/a"),
        ("${ inputs.DATA }", "has blanks in its braces", "${inputs.DATA}"),
        ("${inputs.DATA }", "has blanks in its braces", "${inputs.DATA}"),
        ("${{ inputs.DATA }}", "has two braces", "${inputs.DATA}"),
        ("$${mounts.code}", "has a $ too many", "${mounts.code}"),
    ],
)
def test_a_slip_is_told_and_mended(tmp_path, written, problem, meant):
    path = tmp_path / "spec.yaml"
    path.write_text(SPEC.format(written))
    linter = Linter()
    result = linter.file(str(path))
    (finding,) = result.findings
    assert finding.code == "BAI318"
    assert finding.message == f"{written.removesuffix('/a')} {problem}"
    mended = fixed(linter, result)
    assert mended
    assert mended.text == SPEC.format(meant)


def test_a_name_that_is_not_declared_is_not_mended():
    findings = found("${mounts.none")
    assert [(each.code, each.fix) for each in findings] == [("BAI401", None), ("BAI318", None)]


@pytest.mark.parametrize("written", ["{inputs.DATA}", "{{inputs.DATA}}", "{{ inputs.DATA }}"])
def test_a_reference_without_its_dollar(written):
    # ShellCheck, where it is installed, says that such braces are literal.
    (finding,) = [each for each in found(written) if each.code != "BAI720"]
    assert (finding.code, finding.hint) == ("BAI319", "write ${inputs.DATA}")


@pytest.mark.parametrize("written", ["${env.DEBUG}", "${environment.DEBUG}"])
def test_a_reference_to_a_variable(written):
    (finding,) = found(written)
    assert (finding.code, finding.hint) == ("BAI320", "write $DEBUG")


@pytest.mark.parametrize(
    "text",
    [
        *("${HOME}", "${HOME:-x}", "${#HOME}", "${HOME%.*}", '"${HOME}/{a,b}"'),
        *("awk '{print $1}'", "awk '{ inputs.DATA }'", "{inputs.OTHER}", "{{other.DATA}}"),
        *("python3 -c \"print(f'{inputs.DATA}')\"", "x '{{inputs.DATA}}' --template jinja"),
        *("node -e 'print(`${env.DEBUG}`)'", "'${env.DEBUG}'", "{ echo a; }"),
        *('curl -d \'{"a": "${inputs.DATA}"}\' x', "{${inputs.DATA}}", "${inputs.DATA}}"),
    ],
)
def test_other_braces_are_left_alone(text):
    assert not {finding.code for finding in found(text)} & {"BAI317", "BAI318", "BAI319", "BAI320"}
