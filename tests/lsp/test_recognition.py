"""Which files of an editor are bai's."""

import pytest

from bai.compiler.batchai.variables import DESCRIPTIONS, NAMES, describe
from bai.lsp.language import concerns
from bai.lsp.tolerant_parser import parse_outlines

SCHEMA = "https://raw.githubusercontent.com/Azure/BatchAI/master/schemas/2018-05-01/job.json"


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: bai/v1\n",
        "apiVersion: bai/v2\nkind: Experimnt\n",
        "kind: Experiment\nspec: {}\n",
        "spec:\n  jobs:\n",
        "spec: {jobs: {}}\n",
        "kind: Deployment\napiVersion: v1\n---\napiVersion: bai/v1\n",
        f'{{"$schema": "{SCHEMA}"',
        '{"properties": {"nodeCount": 1',
        "properties:\n  vmSize: STANDARD_NC6\n  scaleSettings:\n",
    ],
)
def test_ours(text):
    assert concerns(parse_outlines(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text",
        "apiVersion: v1\nkind: Service\nspec: {}\n",
        "spec: {replicas: 2}\n",
        "spec: 1\n",
        "openapi: 3.0.0\n",
        '{"$schema": "https://json.schemastore.org/package.json", "properties": {"vmSize": 1}}',
        '{"properties": {"name": {"type": "string"}}}',
        '{"apiVersion": null, "spec": 1}',
    ],
)
def test_not_ours(text):
    assert not concerns(parse_outlines(text))


def test_every_variable_is_described():
    assert DESCRIPTIONS.keys() == NAMES
    assert describe("AZ_BATCHAI_WORKER_HOSTS").endswith("Only tensorFlow jobs have it.")
    assert describe("AZ_BATCHAI_OUTPUT_MODEL") == "Directory of the job's output MODEL."
    assert describe("AZ_BATCHAI_OUTPUT_") is None
    assert describe("AZ_BATCHAI_NOTHING") is None
