"""The examples in the help of verbs."""

from __future__ import annotations

from typing import Final

EXAMPLES: Final[dict[str, tuple[str, ...]]] = {
    "init": (
        "bai init                                # here, for what is installed",
        "bai init digits --template keras",
        "bai init digits --from job.json cluster.json",
    ),
    "apply": (
        "bai apply experiment.yaml               # run it, and watch it to its end",
        "bai apply experiment.yaml -d            # only start it",
        "bai apply experiment.yaml --rerun       # once more, as a new attempt",
        "bai apply experiment.yaml --max-nodes 1 # a smaller run, on this machine",
        "bai apply experiment.yaml --dry-run=server",
    ),
    "diff": (
        "bai diff experiment.yaml",
        "bai diff a.yaml b.yaml --rerun",
        "bai diff experiment.yaml --wire         # in Batch AI's words",
    ),
    "lint": (
        "bai lint                                # all below this folder",
        "bai lint job.json --cluster cluster.json",
        "bai lint specs/ --fix                   # fix what can be fixed safely",
        "bai lint --select BAI6 --output github  # secrets only, for GitHub Actions",
    ),
    "compile": (
        "bai compile experiment.yaml             # JSON to the terminal",
        "bai compile experiment.yaml -d out/     # job.json, cluster.json, ... for az",
        "bai compile experiment.yaml --submission -o yaml",
    ),
    "import": (
        "bai import job.json cluster.json -o experiment.yaml",
        "bai import job.json --name digits --job train",
    ),
    "get": (
        "bai get                                 # jobs",
        "bai get clusters",
        "bai get job digits/train -o yaml",
    ),
    "describe": (
        "bai describe job train",
        "bai describe cluster/gpu --wire         # as Batch AI's REST API has it",
    ),
    "logs": (
        "bai logs train                          # what it has written so far",
        "bai logs digits/train -f                # and what it goes on to write",
        "bai logs train --rank 0 --stream stderr",
        "bai logs train --tail 20                # the last lines; goes with -f",
    ),
    "metrics": (
        "bai metrics train                       # newest and best values",
        "bai metrics train --plot                # curves of what it reported",
        "bai metrics first second loss --plot    # two jobs over each other",
        "bai metrics train 'bai/*'               # CPU, memory and step times",
        "bai metrics sweep/train -o csv > metrics.csv",
    ),
    "tensorboard": ("bai tensorboard train", "bai tensorboard first second"),
    "wait": (
        "bai wait train evaluate                 # until both have ended",
        "bai wait train --for succeeded --timeout 10m",
    ),
    "cancel": ("bai cancel train", "bai cancel digits/train digits/evaluate"),
    "delete": (
        "bai delete job train evaluate",
        "bai delete job/train cluster/gpu",
        "bai delete -f experiment.yaml --yes",
    ),
    "explain": (
        "bai explain                             # the whole spec",
        "bai explain job.horovod",
        "bai explain BAI203                      # a finding",
    ),
    "rules": ("bai rules", "bai rules BAI5", "bai rules BAI203"),
    "schema": ("bai schema > experiment.schema.json",),
    "storage ls": (
        "bai storage ls                          # the shares of all accounts",
        "bai storage ls azureFile:SHARE/logs -r",
    ),
    "storage cp": (
        "bai storage cp data/ azureFile:SHARE/data -r",
        "bai storage cp azureBlob://ACCOUNT/CONTAINER/model.pt .",
        "bai storage cp 'azureBlob:CONTAINER/*.bin' .",
        "bai storage cp azureFile:SHARE/notes.txt -",
        "bai storage cp job:train/MODEL/model.pt .   # from an output of a job",
    ),
    "storage sync": (
        "bai storage sync data/ azureBlob://ACCOUNT/CONTAINER/data",
        "bai storage sync azureFile:SHARE/models models --delete",
    ),
    "storage rm": ("bai storage rm azureFile:SHARE/data -r",),
    "context show": ("bai context show gpu",),
    "context use": ("bai context use gpu",),
}
"""Verb -> command lines, with a comment where they don't speak for themselves."""
