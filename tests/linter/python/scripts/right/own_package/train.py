"""The work is done in a package beside the script."""
import argparse

import torch

from trainer import gang
from trainer.loop import fit

parser = argparse.ArgumentParser()
parser.add_argument("--output-dir")
parser.add_argument("--epochs", type=int)
parser.add_argument("--data")

if __name__ == "__main__":
    args = parser.parse_args()
    gang.start()
    model = torch.nn.Linear(1, 1)
    fit(model, args.epochs)
    model(torch.rand(1, 1)).backward()
    if gang.leads():
        torch.save(model, args.output_dir + "/model.pt")
