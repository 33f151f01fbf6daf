"""Conditions that all ranks of a gang meet do not guard a save; those that one rank meets do."""

import textwrap

import pytest

from bai.linter.python.python_script import ScriptFacts, examine

HEAD = "import torch\nimport horovod.torch as hvd\nhvd.init()\n"
SAVE = "torch.save(model, 'x')"


def count(script):
    found = examine(HEAD + script)
    assert isinstance(found, ScriptFacts), found
    return len(found.saves)


@pytest.mark.parametrize(
    "check",
    [
        "hvd.size() > 0",
        "hvd.size() >= 2, 'start it with mpirun'",
        "1 < hvd.size()",
        "hvd.size() == 4",
        "hvd.size() == args.processes",
        "hvd.size() != 1",
        "world_size == hvd.size()",
        "hvd.rank() >= 0",
        "0 <= hvd.rank()",
        "hvd.rank() < hvd.size()",
        "hvd.rank() < 8",
        "hvd.rank() in range(hvd.size())",
        "hvd.rank() is not None",
        "hvd.rank() == torch.distributed.get_rank()",
        "isinstance(hvd.rank(), int)",
        "hvd.local_rank() < torch.cuda.device_count()",
        "hvd.size() > 1 and hvd.rank() >= 0",
        "not hvd.size() < 2",
        "hvd.rank() != 0 or args.output",
    ],
)
def test_a_check_that_all_ranks_pass_does_not_guard_what_follows(check):
    test = check.partition(", '")[0]
    assert count(f"assert {check}\n{SAVE}") == 1
    assert count(f"if not ({test}):\n    raise ValueError('no')\n{SAVE}") == 1
    assert count(f"def check():\n    assert {check}\ncheck()\n{SAVE}") == 1


@pytest.mark.parametrize(
    "check",
    [
        "hvd.rank() == 0",
        "0 == hvd.rank()",
        "not hvd.rank()",
        "hvd.rank() < 1",
        "hvd.rank() == hvd.size() - 1",
        "hvd.rank() == 0 and hvd.size() > 1",
        "hvd.rank() == 0 or hvd.size() == 1",
        "is_main_process()",
        "hvd.size() == 1",
        "hvd.size() < 2",
        "not hvd.size() > 1",
    ],
)
def test_a_check_that_one_rank_passes_guards_what_follows(check):
    assert count(f"assert {check}\n{SAVE}") == 0
    assert count(f"if not ({check}):\n    raise ValueError('no')\n{SAVE}") == 0
    assert count(f"if not ({check}):\n    sys.exit()\n{SAVE}") == 0
    leaves = f"if {check}:\n        pass\n    else:\n        return"
    assert count(f"def save():\n    {leaves}\n    {SAVE}\nsave()") == 0
    assert count(f"if {check}:\n    {SAVE}") == 0


@pytest.mark.parametrize(
    "script",
    [
        "if hvd.size() < 2:\n    sys.exit('start it with mpirun')",
        "if hvd.size() == 1:\n    raise ValueError('start it with mpirun')",
        "def check():\n    if hvd.size() < 2:\n        sys.exit(1)\ncheck()",
        "if hvd.rank() == 0 and not args.data:\n    raise ValueError('no data')",
        "try:\n    if hvd.rank() == 0:\n        raise OSError\nexcept OSError:\n    pass",
        "try:\n    if hvd.rank() == 0:\n        raise OSError()\nexcept (A, OSError):\n    pass",
        "try:\n    if hvd.rank() == 0:\n        raise\nexcept:\n    pass",
        "try:\n    assert hvd.rank() == 0\n    print('first')\nexcept AssertionError:\n    pass",
        "try:\n    with lock:\n        assert hvd.rank() == 0\nexcept Exception:\n    pass",
        "try:\n    assert hvd.size() > 1\nfinally:\n    print('checked')",
    ],
)
def test_what_all_ranks_come_to_is_unguarded(script):
    assert count(f"{script}\n{SAVE}") == 1


@pytest.mark.parametrize(
    "script",
    [
        "try:\n    assert hvd.rank() == 0\nexcept AssertionError:\n    sys.exit()",
        "try:\n    assert hvd.rank() == 0\nexcept OSError:\n    pass",
        "try:\n    assert hvd.rank() == 0\nfinally:\n    print('checked')",
        "try:\n    if hvd.rank() != 0:\n        raise SystemExit\nexcept Exception:\n    pass",
        "try:\n    if hvd.rank() != 0:\n        sys.exit()\nexcept Exception:\n    pass",
        "if hvd.size() > 1 and hvd.rank() != 0:\n    sys.exit()",
        "is_first = args.node == 0\nif not is_first:\n    sys.exit()",
    ],
)
def test_what_one_rank_comes_to_is_guarded(script):
    assert count(f"{script}\n{SAVE}") == 0


@pytest.mark.parametrize(
    "script",
    [
        f"if hvd.size() > 1:\n    {SAVE}",
        f"if hvd.size() == 1:\n    print('alone')\nelse:\n    {SAVE}",
        "torch.save(model, 'x') if hvd.size() > 1 else None",
        f"world = hvd.size()\nif world > 1:\n    {SAVE}",
        f"distributed = hvd.size() > 1\nif distributed:\n    {SAVE}",
        "if hvd.size() > 1:\n    path = 'x'\ntorch.save(model, path)",
        "if hvd.size() > 1:\n    model = wrapped(model)\nmodel.save('x')",
        "torch.save(model, f'model-of-{hvd.size()}.pt')",
    ],
)
def test_the_number_of_processes_is_the_same_on_all_ranks(script):
    assert count(script) == 1


@pytest.mark.parametrize(
    "script",
    [
        f"if hvd.size() > 1:\n    print('many')\nelse:\n    {SAVE}",
        f"def save():\n    if hvd.size() > 1:\n        return\n    {SAVE}\nsave()",
        f"alone = hvd.size() == 1\nif alone:\n    {SAVE}",
        f"distributed = hvd.size() > 1\nif not distributed or hvd.rank() == 0:\n    {SAVE}",
        f"folder = 'x' if hvd.size() == 1 else None\nif folder:\n    {SAVE}",
        "if hvd.size() == 1:\n    path = 'x'\nelse:\n    path = None\nif path: torch.save(m, path)",
    ],
)
def test_a_process_that_is_alone_may_save(script):
    assert count(textwrap.dedent(script)) == 0
