"""Ignite's launcher starts Horovod."""
import ignite.distributed as idist
import torch


def training(local_rank, config):
    model = idist.auto_model(torch.nn.Linear(1, 1))
    model(torch.rand(1, 1)).backward()
    if idist.get_rank() == 0:
        torch.save(model.state_dict(), config["out"])


if __name__ == "__main__":
    with idist.Parallel(backend="horovod") as parallel:
        parallel.run(training, {"out": "model.pt"})
