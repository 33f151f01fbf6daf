"""Reads variables that may not be set, and copes."""
import argparse
import os
import sys
from os import environ, getenv

import torch
import horovod.torch as hvd

PREFIX = "AZ_BATCHAI_OUTPUT_"
parser = argparse.ArgumentParser()
parser.add_argument("--evaluate", action="store_true")
parser.add_argument("--logs", default=os.environ.get("AZ_BATCHAI_OUTPUT_LOGS"))
parser.add_argument("--summaries", default=getenv("AZ_BATCHAI_OUTPUT_SUMMARIES", "summaries"))
args = parser.parse_args()

if args.evaluate:
    start = os.environ["AZ_BATCHAI_INPUT_START"]
samples = os.getenv("AZ_BATCHAI_INPUT_SAMPLES") or "samples"
cache = os.getenv("AZ_BATCHAI_INPUT_CACHE")
if cache is None:
    cache = "cache"
try:
    images = os.environ["AZ_BATCHAI_INPUT_IMAGES"]
except KeyError:
    images = "images"
extra = environ["AZ_BATCHAI_INPUT_EXTRA"] if "AZ_BATCHAI_INPUT_EXTRA" in environ else "extra"
os.environ.setdefault("AZ_BATCHAI_INPUT_WORDS", "words")
words = os.environ["AZ_BATCHAI_INPUT_WORDS"]
os.environ["AZ_BATCHAI_INPUT_MINE"] = "mine"
mine = os.environ["AZ_BATCHAI_INPUT_MINE"]
index = int(os.environ.get("AZ_BATCHAI_TASK_INDEX", 0))
print("set:", [name for name in environ if name.startswith(PREFIX)], "AZ_BATCHAI_INPUT_NOTHING")


def load_old():
    return torch.load(os.environ["AZ_BATCHAI_INPUT_OLD"] + "/model.pt")


def main():
    hvd.init()
    root = os.environ["AZ_BATCHAI_JOB_MOUNT_ROOT"]
    out = os.environ["AZ_BATCHAI_OUTPUT_MODEL"]
    node = os.environ["AZ_BATCH_NODE_ID"]
    print(root, node, os.getenv("AZ_BATCHAI_NUM_GPUS"), os.getenv("AZ_BATCHAI_HINT"))
    if args.logs:
        sys.exit(0)
    final = os.environ["AZ_BATCHAI_OUTPUT_FINAL"]
    model = load_old() if args.evaluate else torch.nn.Linear(1, 1)
    optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1))
    model(torch.rand(1, 1)).sum().backward()
    optimizer.step()
    if hvd.rank() == 0:
        torch.save(model, out + "/model.pt")
        torch.save(model, final + "/model.pt")


main()
