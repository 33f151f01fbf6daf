"""Saves once on every node, below the folder that the job names."""
import argparse

import torch
import horovod.torch as hvd


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--output-dir", default=".")
    args = parser.parse_args()
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    model = torch.nn.Linear(1, 1)
    if hvd.local_rank() == 0:
        torch.save(model.state_dict(), f"{args.output_dir}/model.pt")


main()
