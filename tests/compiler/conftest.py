"""What the compiler's tests share."""

import textwrap

import pytest

from bai.compiler.compilation import Defaults
from bai.compiler.compile import compile_spec
from bai.specs.load import load_text

HEADER = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: experiment}
spec:
"""


@pytest.fixture
def load_spec():
    """Return a function from the content of `spec` to the loaded spec."""

    def load(content):
        result = load_text(HEADER + textwrap.indent(content, "  "), "spec.yaml", "/project")
        assert result.findings == ()
        [spec] = result.specs
        return spec

    return load


@pytest.fixture
def compile_text(load_spec):
    """Return a function from the content of `spec` to its compilation."""

    def compile_content(content, **defaults):
        names = {"resource_group": "group", "workspace": "space", "location": "eastus"}
        return compile_spec(load_spec(content), Defaults(**(names | defaults)))

    return compile_content
