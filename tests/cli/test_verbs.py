"""`bai` and its verbs, which are imported only when they are called."""


def test_the_line_about_a_verb_is_what_the_verb_says_of_itself(bai):
    listed = bai.run("--help").stdout.partition("Commands:\n")[2]
    lines = dict(line.split(maxsplit=1) for line in listed.splitlines())
    assert len(lines) >= 16
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
    assert "No such command 'lnit'. Did you mean 'lint'?" in done.stderr


def test_a_shell_completes_verbs_and_their_options(bai):
    def completed(words, index):
        shell = {"_BAI_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(index)}
        return bai.run(env=shell).stdout.split()

    assert completed("bai co", 1) == ["compile", "context"]
    assert completed("bai lint --out", 2) == ["--output"]
    assert completed("bai storage ", 2) == ["ls", "cp", "rm"]
