"""A language model that saves itself as a folder."""
import argparse

import torch
import horovod.torch as hvd
from transformers import AutoModel, AutoTokenizer

parser = argparse.ArgumentParser()
parser.add_argument("--output-dir", dest="output_dir")
parser.add_argument("--local_rank", type=int, default=-1)


def set_up(args):
    hvd.init()
    args.local_rank = hvd.local_rank()
    args.rank = hvd.rank()
    args.device = torch.device("cuda", args.local_rank)


def main():
    args, _ = parser.parse_known_args()
    set_up(args)
    model = AutoModel.from_pretrained("some-model")
    tokenizer = AutoTokenizer.from_pretrained("some-model")
    if args.local_rank == 0:
        print("training")
    model(torch.zeros(1)).backward()
    if args.rank == 0:
        model.save_pretrained(args.output_dir)
        tokenizer.save_pretrained(args.output_dir)
        torch.save(vars(args), f"{args.output_dir}/training_args.bin")


if __name__ == "__main__":
    main()
