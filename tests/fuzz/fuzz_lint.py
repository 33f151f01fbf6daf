"""A target for atheris, which looks for new paths through the code by itself.

    pip install atheris
    python tests/fuzz/fuzz_lint.py CORPUS -max_len=4000 -timeout=10 -max_total_time=600

CORPUS is a folder: it begins as the tests' own files if it is empty, and keeps what was found.
"""

import sys
from pathlib import Path

import atheris

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

with atheris.instrument_imports(include=["bai", "yaml"]):
    from fuzz.properties import check_lint, check_quick


def one_input(content):
    """Check one file's bytes."""
    check_quick(content)
    check_lint(content)


def main():
    """Fill an empty corpus, and look for what breaks."""
    corpus = Path(next((word for word in sys.argv[1:] if not word.startswith("-")), "corpus"))
    corpus.mkdir(parents=True, exist_ok=True)
    if not any(corpus.iterdir()):
        for index, path in enumerate([*TESTS.rglob("*.yaml"), *TESTS.rglob("*.json")]):
            (corpus / f"seed-{index}").write_bytes(path.read_bytes())
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
