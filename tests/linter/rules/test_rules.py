"""The registry of rules, and what no spec can show."""

import inspect
import re
from dataclasses import replace
from pathlib import Path

import pytest

import bai.compiler
from bai.linter.context import RuleContext
from bai.linter.rules.registry import all_rules, ordered, violations
from bai.linter.rules.report import report
from bai.linter.rules.rule import rule as as_rule
from bai.linter.spec_findings import views_of
from bai.specs.codes import CODES, Stage

GOLDEN = Path(__file__).parents[2] / "compiler/golden"
LINTER = Path(__file__).parents[1]
SOURCES = Path(next(iter(bai.compiler.__path__)))
SPEC = """\
clusters: {one: {vmSize: STANDARD_NC6, scale: 1, mounts: {kept: "azureFile://store/kept"}}}
jobs:
  train:
    nodeCount: 1
    mounts: {work: "azureFile://store/work"}
    logs: ${mounts.work}
    custom: {command: ls}
"""


def test_two_rules_with_one_code_are_refused():
    @as_rule("BAI999")
    def first(resource):
        yield from ()

    assert ordered([first]) == [first]
    with pytest.raises(ValueError, match="BAI999"):
        ordered([first, first])


def test_every_code_of_the_compiler_has_a_golden_case():
    # A compilation asks nothing of the machine.
    raised = {rule.code for rule in all_rules() if CODES[rule.code].stage is Stage.CHECKING}
    for path in (SOURCES / "passes").glob("*.py"):
        raised |= set(re.findall(r'"(BAI\d{3})"', path.read_text()))
    shown = set()
    goldens = (*GOLDEN.glob("*/findings.txt"), *LINTER.glob("files/*.txt"))
    for path in (*goldens, *LINTER.glob("rules/*/*.txt")):
        shown |= set(re.findall(r" (BAI\d{3}) ", path.read_text()))
    # What is sent can only break the schema by a mistake of the compiler; see below.
    assert raised - shown == {"BAI206"}


def source_of(rule):
    """Return the source of a rule's check, and of the functions of its module that it names."""
    check = inspect.unwrap(rule.check)
    module = vars(inspect.getmodule(check))
    helpers = (module.get(name) for name in check.__code__.co_names)
    found = [each for each in helpers if inspect.isfunction(each)]
    return "".join(map(inspect.getsource, [check, *found]))


def test_rules_that_look_at_the_cluster_of_a_job_say_so():
    asking = set()
    for rule in all_rules():
        text = source_of(rule)
        if CODES[rule.code].stage is Stage.CHECKING and (
            "cluster_of(" in text or "visible_mounts(" in text
        ):
            asking.add(rule.code)
    # These look at a job whose cluster is not known: there they find more, not less.
    assert asking - {"BAI416", "BAI808"} == {
        rule.code for rule in all_rules() if rule.needs_cluster
    }


def test_a_broken_wire_form_is_found_at_the_spec_value_behind_it(compile_text, load_spec):
    compilation = compile_text(SPEC)
    *_, resource = compilation.resources
    wire = resource.to_wire()
    [share] = wire["properties"]["mountVolumes"]["azureFileShares"]
    share |= {"accountName": 5, "credentials": {}}
    document = load_spec(SPEC).document
    [view] = views_of([replace(resource, wire=wire)], document)
    [(found, _, violation)] = violations(RuleContext([view]))
    finding = report(found.code, view, violation)
    assert finding.code == "BAI206"
    assert "accountName" in finding.message
    assert finding.span == document.span(("spec", "jobs", "train", "mounts", "work"))


def test_findings_come_in_the_order_of_the_text(compile_text):
    content = SPEC.replace("nodeCount: 1", "nodeCount: 2").replace(": ls", ': "${inputs.X}"')
    findings = compile_text(content, resource_group=None).findings
    assert [finding.code for finding in findings] == ["BAI204", "BAI801", "BAI401"]


def test_a_finding_in_a_shared_part_comes_once(compile_text):
    content = SPEC.replace("custom: {command: ls}", 'custom: &c {command: "${inputs.X}"}')
    content += "  again: {nodeCount: 1, logs: $AZ_BATCHAI_MOUNT_ROOT/kept, custom: *c}\n"
    assert [finding.code for finding in compile_text(content).findings] == ["BAI401"]
