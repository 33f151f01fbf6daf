"""Values in place of references to parameters, their places, and what is wrong with them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loading import ONE_JOB, load_text

from bai.specs.document import value_at
from bai.specs.load import load_documents
from bai.specs.parameters.given import from_file, from_option, from_python
from bai.specs.parameters.records import GivenValues
from bai.specs.parsed_file import ParsedFile
from bai.specs.source.plain_scalar import Plain

HEAD = "apiVersion: bai/v1\nkind: Experiment\n"
JOB = ONE_JOB + "      nodeCount: 1\n      logs: /x\n"


def declared(parameters, text):
    """Return a spec with parameters."""
    return text.replace("spec:\n", f"spec:\n  parameters: {parameters}\n", 1)


def load(parameters, text, **values):
    file = ParsedFile(declared(parameters, text), "spec.yaml", "/")
    given_values = GivenValues(from_python(values), are_all=True)
    return load_documents(file.documents, file.syntax_errors, "/", given_values)


def job_of(parameters, lines, **values):
    result = load(parameters, f"{JOB}      {lines}\n", **values)
    assert result.findings == ()
    return result.specs[0].model.spec.jobs["j"]


def findings(parameters, lines="custom: {command: ls}", **values):
    found = load(parameters, f"{JOB}      {lines}\n", **values).findings
    return [(finding.code, finding.message, finding.hint) for finding in found]


def test_a_scalar_that_is_nothing_else_is_the_value_with_its_type():
    text = JOB.replace("nodeCount: 1", "nodeCount: ${parameters.n}")
    [spec] = load("{n: 2}", f"{text}      custom: {{command: ls}}\n").specs
    assert spec.model.spec.jobs["j"].node_count == 2
    [spec] = load("{n: 2}", f"{text}      custom: {{command: ls}}\n", n=3).specs
    assert spec.model.spec.jobs["j"].node_count == 3


@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_quotes_around_the_reference_say_nothing_of_the_type(quote):
    job = job_of(
        "{n: 2}",
        f"customMpi:\n        command: ls\n        processCount: {quote}${{parameters.n}}{quote}",
    )
    assert job.custom_mpi.process_count == 2


def test_texts_keep_the_value_as_it_was_written():
    written = "{a: 1.10, b: 0777, c: 1e-3, d: no, e: True, f: '007'}"
    names = ", ".join(f'{name.upper()}: "<${{parameters.{name}}}>"' for name in "abcdef")
    job = job_of(written, f"environment: {{{names}}}\n      custom: {{command: ls}}")
    assert list(job.environment.values()) == [
        "<1.10>",
        "<0777>",
        "<1e-3>",
        "<no>",
        "<True>",
        "<007>",
    ]


def test_names_of_the_experiment_can_have_parameters():
    text = f"{JOB}      custom: {{command: ls}}\n".replace("name: t", 'name: "run-${parameters.n}"')
    [spec] = load("{n: 2}", text).specs
    assert spec.model.metadata.name == "run-2"


def test_shell_lines_are_quoted_and_lists_and_environments_are_not():
    lines = 'preparation: echo ${parameters.x}\n      environment: {command: "a ${parameters.x}"}\n'
    lines += '      mounts: {m: "command:mount ${parameters.x}"}\n'
    lines += "      custom: {command: 'ls \"${parameters.x}\"'}"
    job = job_of("{x: a b}", lines)
    assert job.preparation == "echo 'a b'"
    assert job.environment["command"] == "a a b"
    assert job.mounts["m"].unmanaged.command == "mount 'a b'"
    assert job.custom.command == 'ls "a b"'


def test_a_shell_line_that_is_nothing_else_is_the_value():
    assert job_of("{x: a b}", 'custom: {command: "${parameters.x}"}').custom.command == "a b"


def test_a_value_is_not_looked_at_again():
    job = job_of(
        "{x: y}",
        'environment: {A: "${parameters.x}"}\n      custom: {command: ls}',
        x="${parameters.x}",
    )
    assert job.environment["A"] == "${parameters.x}"


def test_a_reference_with_two_dollars_or_a_backslash_is_none():
    job = job_of(
        "{x: y}",
        "custom: {command: 'echo $${parameters.x} \\${parameters.x}${parameters.x}'}",
    )
    assert job.custom.command == "echo $${parameters.x} \\${parameters.x}y"


@pytest.mark.parametrize(
    ("declaration", "value", "message"),
    [
        ("2", "many", "expected a whole number, found the string 'many'"),
        ("2", 2.5, "expected a whole number, found the number 2.5"),
        ("0.1", "many", "expected a number, found the string 'many'"),
        ("0.1", True, "expected a number, found the boolean true"),
        ("true", 1, "expected true or false, found the number 1"),
        ("{type: integer}", "2", "expected a whole number, found the string '2'"),
        ("{choices: [a, b]}", "c", "'c' is not among the choices"),
        ("{choices: [1, 2]}", 3, "'3' is not among the choices"),
        ("{default: 1, min: 0}", -1, "expected at least 0, found -1"),
        ("{default: 1, max: 8}", 9, "expected at most 8, found 9"),
        ("{min: 0.5}", 0.25, "expected at least 0.5, found 0.25"),
    ],
)
def test_values_that_a_parameter_can_not_have(declaration, value, message):
    lines = 'custom: {command: "ls ${parameters.x}"}'
    [found] = findings(f"{{x: {declaration}}}", lines, x=value)
    assert found[:2] == ("BAI326", f"x, given in Python: {message}")


@pytest.mark.parametrize(
    ("declaration", "value"),
    [
        ("2", 3),
        ("0.1", 1),
        ("0.1", 1e-9),
        ("{type: number, default: 1}", 0.5),
        ("{type: string, default: 1}", 2),
        ("a", 2),
        ("a", False),
        ("{choices: [1, 2.5]}", 2.5),
        ("{choices: [1.0, 2.0]}", 2),
        ("{}", "any"),
        ("{}", 1),
        ("true", False),
    ],
)
def test_values_that_a_parameter_can_have(declaration, value):
    lines = 'custom: {command: "ls ${parameters.x}"}'
    assert findings(f"{{x: {declaration}}}", lines, x=value) == []


def test_a_secret_is_not_shown():
    lines = 'environment: {A: "${parameters.token}"}\n      custom: {command: ls}'
    [found] = findings("{token: 1}", lines, token="SECRETKEY")
    assert found[1] == "token, given in Python: it can't have this value"


def test_a_missing_value_is_missing_only_where_all_are_known():
    text = declared(
        "{x: {type: integer}}", f'{JOB}      custom: {{command: "ls ${{parameters.x}}"}}\n'
    )
    assert load_text(text, "spec.yaml", "/").findings == ()
    file = ParsedFile(text, "spec.yaml", "/")
    [found] = load_documents(file.documents, (), "/", GivenValues({}, are_all=True)).findings
    assert (found.code, str(found.span)) == ("BAI419", "spec.yaml:5:16")
    assert found.hint == "give it one with -p x=VALUE, or write a default"


@pytest.mark.parametrize(
    "line",
    [
        "priority: ${parameters.x}",
        "timeLimit: ${parameters.x}",
        "cluster: ${parameters.x}",
        "container: ${parameters.x}",
        "mounts: {m: '${parameters.x}'}",
        "mounts: {m: {azureFile: {share: '${parameters.x}'}}}",
        "secrets: {S: '${parameters.x}'}",
        "environment: {A: '${parameters.x}'}",
        "preparation: ls ${parameters.x}",
    ],
)
@pytest.mark.parametrize(
    "declaration", ["{}", "{type: integer}", "{type: string}", "{type: boolean}"]
)
def test_what_is_not_known_yet_is_not_wrong(line, declaration):
    text = declared(f"{{x: {declaration}}}", f"{JOB}      {line}\n      custom: {{command: ls}}\n")
    result = load_text(text, "spec.yaml", "/")
    assert result.findings == ()
    assert result.specs


@pytest.mark.parametrize("key", ["processCount", "processesPerNode"])
def test_a_number_that_is_not_known_yet_is_not_wrong(key):
    lines = f"      customMpi:\n        command: ls\n        {key}: ${{parameters.x}}\n"
    result = load_text(declared("{x: {type: string}}", JOB + lines), "spec.yaml", "/")
    assert result.findings == ()
    assert result.specs[0].is_valid
    assert not result.specs[0].document.has_sure_counts


@pytest.mark.parametrize(
    ("written", "code", "hint"),
    [
        ("${parameters.epoch}", "BAI401", "did you mean epochs?"),
        ("${parameters.zzz}", "BAI401", "valid here: epochs"),
        ("${params.epochs}", "BAI318", "write ${parameters.epochs}"),
        ("${parameter.epochs}", "BAI318", "write ${parameters.epochs}"),
        ("${Parameters.epochs}", "BAI318", "write ${parameters.epochs}"),
    ],
)
def test_references_to_nothing(written, code, hint):
    text = f"{JOB}      custom: {{command: 'echo ${{parameters.epochs}} {written}'}}\n"
    [found] = load("{epochs: 10}", text).findings
    assert (found.code, found.hint) == (code, hint)
    line = declared("{epochs: 10}", text).splitlines()[found.span.line - 1]
    assert line[found.span.column - 1 : found.span.end_column - 1] == written
    if "zzz" not in written:
        assert [edit.text for edit in found.fix.edits] == ["${parameters.epochs}"]


def test_other_programs_keep_what_they_call_params():
    assert findings("{lr: 1}", "custom: {command: 'echo ${params.other} ${parameters.lr}'}") == []


def test_a_spec_without_parameters_says_where_to_declare_them():
    text = f"{JOB}      custom: {{command: 'echo ${{parameters.lr}}'}}\n"
    [found] = load_text(text, "spec.yaml", "/").findings
    assert (found.code, found.hint) == ("BAI401", "declare it under spec.parameters")


def test_a_cluster_of_its_own_has_no_parameters():
    text = (
        "apiVersion: bai/v1\nkind: Cluster\nmetadata: {name: c}\nspec: {scale: '${parameters.n}'}\n"
    )
    [found] = load_text(text, "spec.yaml", "/").findings
    assert (found.code, str(found.span)) == ("BAI401", "spec.yaml:4:16")
    assert found.hint == "write the value itself: only experiments have parameters"


def test_a_finding_says_where_the_value_comes_from():
    text = (
        JOB.replace("nodeCount: 1", "nodeCount: ${parameters.n}") + "      custom: {command: ls}\n"
    )
    [found] = load("{n: two}", text).findings
    assert (found.code, str(found.span)) == ("BAI203", "spec.yaml:9:18")
    assert found.hint == "write a whole number: nodeCount: 2. n is two, its default"
    [found] = load("{n: 2}", text, n=0).findings
    assert found.hint == "n is 0, given in Python"


def test_of_members_of_a_sweep_with_other_values_no_origin_is_said():
    job = JOB.replace("nodeCount: 1", "nodeCount: ${parameters.n}")
    text = job + "      custom: {command: ls}\n      sweep: {grid: {n: [1, 0]}}\n"
    [found] = load("{n: 1}", text).findings
    assert (found.code, found.hint) == ("BAI303", None)


def test_keys_of_ones_own():
    text = f"x-limits: &limits {{timeLimit: 1h}}\n{JOB}      <<: *limits\n"
    text += "      custom: {command: ls}\n"
    text = text.replace("spec:\n", "spec:\n  x-a: [1, '${b}']\n")
    result = load_text(text, "spec.yaml", "/")
    assert result.findings == ()
    assert result.specs[0].model.spec.jobs["j"].time_limit == "1h"
    [found] = load_text(text.replace("x-a", "y-a"), "spec.yaml", "/").findings
    assert found.code == "BAI201"


def test_options():
    assert from_option("a=b=c")[1].scalar == "b=c"
    assert type(from_option("a=1")[1].scalar) is Plain
    for wrong in ("a", "=1", ""):
        with pytest.raises(ValueError, match="expected NAME=VALUE"):
            from_option(wrong)


def test_python_values():
    numpy = pytest.importorskip("numpy")
    values = {"a": numpy.int64(2), "b": numpy.float64(0.5), "c": 1e-5, "d": True, "e": "x"}
    found = {name: str(each.scalar) for name, each in from_python(values).items()}
    assert found == {"a": "2", "b": "0.5", "c": "1e-05", "d": "true", "e": "x"}
    for wrong in ([1], None, object(), float("nan")):
        with pytest.raises(TypeError, match="the value of the parameter a must be"):
            from_python({"a": wrong})
    with pytest.raises(TypeError, match="the name of a parameter must be a str"):
        from_python({1: 2})


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[1]", "f.yaml:1:1"),
        ("lr: [1]", "f.yaml:1:5"),
        ("lr: {a: 1}", "f.yaml:1:5"),
        ("a: 1\n---\nb: 2\n", "f.yaml:3:1"),
        ("", "f.yaml:1:1"),
        ("a: [", "f.yaml:1:5"),
    ],
)
def test_files_that_hold_no_values(text, place):
    [found] = from_file(ParsedFile(text, "f.yaml", "/")).findings
    assert str(found.span) == place


def test_files_of_values():
    found = from_file(ParsedFile('{"lr": 0.01, "model": "vgg16", "none": null}', "f.json", "/"))
    assert found.findings == ()
    assert {name: each.scalar for name, each in found.values.items()} == {
        "lr": "0.01",
        "model": "vgg16",
    }
    assert str(found.values["lr"].span) == "f.json:1:8"


SCALARS = st.one_of(
    st.integers(0, 99).map(str),
    st.floats(0, 1).map(str),
    st.sampled_from(["a b", "it's", "no", "1.10"]),
)


@given(
    st.dictionaries(st.from_regex("[a-z]{1,3}", fullmatch=True), SCALARS, min_size=1), st.randoms()
)
def test_the_order_of_parameters_never_matters(parameters, random):
    def written(names):
        declarations = ", ".join(f'{name}: "{parameters[name]}"' for name in names)
        return f"{{{declarations}}}"

    shuffled = list(parameters)
    random.shuffle(shuffled)
    command = " ".join(f"${{parameters.{name}}}" for name in parameters)
    text = f"{JOB}      custom:\n        command: echo {command}\n"
    one, other = (load(written(names), text).specs[0] for names in (parameters, shuffled))
    assert one.model.spec.jobs == other.model.spec.jobs
    at = ("spec", "jobs", "j", "custom", "command")
    assert value_at(one.document.data, at) == value_at(other.document.data, at)
