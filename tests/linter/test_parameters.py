"""Findings in texts with values of parameters in them: places, fixes, suppressions."""

from linting import excerpt, lint

from bai.compiler.compilation import Defaults
from bai.linter.driver.linter import Linter, Options
from bai.linter.environment import LintEnvironment
from bai.linter.fixes import apply_fixes

DEFAULTS = Defaults(resource_group="group", workspace="space", location="eastus")
HEAD = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: e}
spec:
  parameters: {dir: a b, none: {}, number: {type: integer}}
  clusters: {c: {vmSize: STANDARD_NC6, scale: 1}}
  jobs:
    j:
      mounts: {data: azureFile:data}
      logs: ${mounts.data}
      environment: {USES: "${parameters.none}${parameters.number}${parameters.dir}"}
"""


def linted(lines):
    text = HEAD + "".join(f"      {line}\n" for line in lines.splitlines())
    options = Options(lambda: DEFAULTS, has_settings=False)
    return text, Linter(options).content(text.encode(), "/nowhere/spec.yaml").findings


def found(lines):
    """Return (code, the text that it is about) of the findings."""
    text, findings = linted(lines)
    return [(finding.code, excerpt(finding.span, text)) for finding in findings]


def fixed(lines):
    text, findings = linted(lines)
    new, _ = apply_fixes(text, [finding.fix for finding in findings if finding.fix])
    return new.removeprefix(HEAD).strip()


def test_a_finding_behind_a_value_stands_at_its_part():
    line = "custom: {command: 'ls ${parameters.dir} ${mounts.data} && rm -r $OLD/x'}"
    assert found(line) == [("BAI717", "$OLD")]
    assert found(line.replace("data}", "date}", 1))[0] == ("BAI401", "${mounts.date}")


def test_a_finding_in_a_value_stands_at_its_reference():
    line = "custom: {command: 'sh -c \"${parameters.dir} \" ${parameters.dir}; cd x; rm -rf *'}"
    assert ("BAI718", "cd x") in found(line)


def test_a_fix_beside_a_value_leaves_the_reference_alone():
    line = "custom: {command: 'cp ${parameters.dir} $AZ_BATCHAI_JOB_MOUNT_ROOT/data \u2013r'}"
    assert found(line) == [("BAI709", "\u2013r")]
    assert fixed(line) == line.replace("\u2013", "-")


def test_a_fix_of_what_is_in_a_value_is_none():
    spec = HEAD.replace("dir: a b", "dir: a b, bad: 'cp \u2013r a b'")
    text = spec + "      custom: {command: '${parameters.bad}'}\n"
    findings = lint(text.encode(), "spec.yaml", "/", LintEnvironment(lambda: DEFAULTS))
    assert [(f.code, excerpt(f.span, text), f.fix) for f in findings] == [
        ("BAI709", "${parameters.bad}", None)
    ]


def test_a_comment_suppresses_what_is_found_in_a_text_with_values():
    line = "custom:\n  command: rm -r $OLD/x ${parameters.dir}"
    assert found(line) == [("BAI717", "$OLD")]
    assert found(f"{line}  # bai: ignore[BAI717] is never set") == []


def test_what_depends_on_a_missing_value_is_not_judged():
    assert found("custom: {command: 'rm -r $OLD/x ${parameters.none}'}") == []
    assert found("nodeCount: ${parameters.number}\ncustom: {command: ls}") == []
    text = HEAD + "      nodeCount: 3\n      custom: {command: ls}\n"
    environment = LintEnvironment(lambda: DEFAULTS)
    for scale, codes in (("1", ["BAI801"]), ("'${parameters.number}'", [])):
        content = text.replace("scale: 1", f"scale: {scale}").encode()
        assert [f.code for f in lint(content, "spec.yaml", "/", environment)] == codes


def test_what_passes_say_of_a_missing_value_is_left_out():
    spec = HEAD.replace("  clusters:", "  storageAccount: ${parameters.none}\n  clusters:")
    text = spec + "      custom: {command: ls}\n"
    environment = LintEnvironment(lambda: DEFAULTS)
    assert lint(text.encode(), "spec.yaml", "/", environment) == ()
    [found] = lint(text.replace("none: {}", "none: A_B").encode(), "s.yaml", "/", environment)
    assert found.code == "BAI504"


def test_a_comment_about_what_is_not_judged_is_not_unused():
    line = "custom:\n  command: rm -r $OLD/x ${parameters.none}  # bai: ignore[BAI717] why not"
    assert found(line) == []


def test_words_of_a_list_keep_their_places():
    line = 'custom:\n  command: [ls, "${parameters.dir}", "${mounts.date}", "x${parameters.dir}"]'
    assert found(line) == [("BAI401", "${mounts.date}")]


def hints(lines):
    _, findings = linted(lines)
    return [finding.hint for finding in findings]


def test_findings_of_passes_and_rules_say_where_a_value_comes_from():
    said = "dir is a b, its default"
    line = "code: .\nhorovod: {script: '../${parameters.dir}'}"
    assert found(line) == [("BAI515", "'../${parameters.dir}'")]
    assert hints(line) == [f"write a path from the folder that code names. {said}"]
    line = "outputs: {M: '$AZ_BATCHAI_JOB_MOUNT_ROOT/${parameters.dir}/x'}\ncustom: {command: ls}"
    assert found(line) == [("BAI506", "'$AZ_BATCHAI_JOB_MOUNT_ROOT/${parameters.dir}/x'")]
    assert hints(line) == [f"valid here: data. {said}"]


def test_what_is_wrong_beside_a_value_says_nothing_of_it():
    line = "custom: {command: 'ls ${parameters.dir} ${mounts.data} && rm -r $OLD/x'}"
    [hint] = hints(line)
    assert "its default" not in hint
