"""`bai` and its verbs, which are imported only when they are called."""

import pytest

from bai.cli.examples import EXAMPLES


def test_the_line_about_a_verb_is_what_the_verb_says_of_itself(bai):
    listed = bai.run("--help").stdout.partition("\nBegin:\n")[2]
    lines = dict(line.split(maxsplit=1) for line in listed.splitlines() if line[:2] == "  ")
    assert len(lines) >= 17
    # The verbs below storage share more to say; its own line is a short form of theirs.
    lines.pop("storage")
    for name, line in lines.items():
        shown = bai.run(name, "-h").stdout
        assert shown.startswith(f"Usage: bai {name} ")
        assert shown.partition("\n\n")[2].strip().startswith(line)


def test_verbs_with_verbs_below_them(bai):
    assert bai.run("storage", "ls", "--help").stdout.startswith("Usage: bai storage ls ")
    assert "--install-completion" not in bai.run("storage", "--help").stdout


def test_a_misspelt_verb(bai):
    done = bai.run("lnit", "x.yaml", code=2)
    assert done.stderr.splitlines()[-1] == (
        "Error: there is no command 'lnit' (did you mean lint?)"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("lint --formt json", "there is no option --formt (did you mean --output?)"),
        ("get --outpt json", "there is no option --outpt (did you mean --output?)"),
        ("apply -f experiment.yaml", "there is no option -f (files are given without one)"),
        ("lint --nothing", "there is no option --nothing"),
        ("--verison", "there is no option --verison (did you mean --version?)"),
        ("validate x.yaml", "there is no command 'validate' (did you mean lint?)"),
        ("storage lst", "there is no command 'lst' (did you mean ls?)"),
        ("context pick gpu", "there is no command 'pick' (valid here: list, show, use)"),
    ],
)
def test_wrong_words_lead_to_the_right_ones_once(bai, words, said):
    done = bai.run(*words.split(), code=2)
    assert done.stderr.splitlines()[-1] == f"Error: {said}"
    assert done.stdout == ""


def test_arguments_are_explained(bai):
    assert "FILES...  Specs, in YAML" in bai.run("apply", "--help").stdout
    assert "SOURCE...  Places in accounts" in bai.run("storage", "cp", "--help").stdout


def options(text):
    """Return the options that a help text explains."""
    lines = text.partition("\nOptions:\n")[2].partition("\n\n")[0].splitlines()
    return {word.strip(",") for line in lines for word in line.split() if word[0] == "-"}


@pytest.mark.parametrize("path", EXAMPLES)
def test_examples_are_of_the_verb_and_fit_the_terminal(bai, path):
    text = bai.run(*path.split(), "--help", env={"COLUMNS": "80"}).stdout
    shown = text.partition("\nExamples:\n")[2].splitlines()
    assert shown == [f"  {line}" for line in EXAMPLES[path]]
    assert max(map(len, text.splitlines())) <= 80
    for line in EXAMPLES[path]:
        assert line.startswith(f"bai {path}")
        used = {word.partition("=")[0] for word in line.partition("#")[0].split()[2:]}
        assert {word for word in used if word[0] == "-" and word != "-"} <= options(text)


def test_a_shell_completes_verbs_and_their_options(bai):
    def completed(words, index):
        shell = {"_BAI_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(index)}
        return bai.run(env=shell).stdout.split()

    assert completed("bai co", 1) == ["context", "compile"]
    assert completed("bai lint --out", 2) == ["--output"]
    assert completed("bai storage ", 2) == ["ls", "cp", "sync", "rm"]
