"""`bai context`."""

from terminal import Terminal

TWO = """\
# The machines of the group.

[contexts.laptop]  # mine
[contexts.laptop.engine]
slots = 2
[contexts.large.provider]
state = "large"
[contexts.large.engine]
slots = 64
"""


def test_the_contexts_are_listed(bai):
    (bai.folder / "bai.toml").write_text(f'current-context = "large"\n{TWO}')
    done = bai.run("context", "list")
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["NAME", "PROVIDER", "ENGINE", "STATE"],
        ["laptop", "embedded", "local", f"{bai.folder}/.bai"],
        ["*", "large", "embedded", "local", f"{bai.folder}/large"],
        ["local", "embedded", "local", f"{bai.folder}/.bai"],
    ]
    assert done.stderr == ""
    chosen = bai.run("context", "list", env={"BAI_CONTEXT": "laptop"}).stdout
    assert "\n*  laptop  " in chosen


def test_a_context_that_is_not_usable_is_listed_with_the_reason(bai):
    text = f"{TWO}[contexts.far.engine]\nname = 'slurm'\n[contexts.near.engine]\nslots = 0\n"
    (bai.folder / "bai.toml").write_text(text)
    done = bai.run("context", "list")
    assert "\n   far     embedded  slurm   -\n" in done.stdout
    place = f"{bai.folder}/bai.toml"
    assert done.stderr.splitlines() == [
        (
            f"warning: {place}:11:8: contexts.far.engine.name can't be 'slurm': "
            "there is no such engine (valid here: local)"
        ),
        f"warning: {place}:13:9: contexts.near.engine.slots must be an integer of at least 1",
    ]
    assert "'slurm'" in bai.run("context", "show", "far", code=2).stderr


def test_the_list_fits_a_terminal(bai):
    (bai.folder / "bai.toml").write_text(TWO)
    bai.environment |= {"COLUMNS": "50", "NO_COLOR": "1"}
    terminal = Terminal(bai, "context", "list")
    assert terminal.end() == 0
    assert max(map(len, terminal.text.splitlines())) <= 50


def test_all_values_are_shown_by_their_keys(bai):
    (bai.folder / "bai.toml").write_text(
        TWO + 'launcher = "mpirun"\npython = "p/python"\nsetup-task = "run"\n'
        '[contexts.large]\nstorage = "data"\nworkspace = "w"\n'
    )
    shown = bai.run("context", "show", "large").stdout
    assert dict(line.split(maxsplit=1) for line in shown.splitlines()) == {
        "name": "large",
        "from": f"{bai.folder}/bai.toml",
        "subscription": "00000000-0000-0000-0000-000000000000",
        "resource-group": "local",
        "workspace": "w",
        "location": "local",
        "storage-account": "not set",
        "storage": f"{bai.folder}/data",
        "provider.name": "embedded",
        "provider.state": f"{bai.folder}/large",
        "engine.name": "local",
        "engine.slots": "64",
        "engine.launcher": "mpirun",
        "engine.bind-to": "core",
        "engine.python": f"{bai.folder}/p/python",
        "engine.setup-task": "run",
    }
