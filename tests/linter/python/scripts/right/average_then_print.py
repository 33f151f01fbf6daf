"""All ranks average, and the first one prints; what may not exchange is skipped on one."""
import torch
import torch.distributed
import horovod.torch as hvd


def average(value, name, everywhere=True):
    if not everywhere:
        return value
    return hvd.allreduce(torch.tensor(value), name=name).item()


def evaluate(model, everywhere=True):
    with torch.no_grad():
        return average(model(torch.ones(1, 1)).item(), "score", everywhere)


class Report:
    def __init__(self, rank):
        self.rank = rank
        self.lines = []

    def add(self, model):
        value = evaluate(model)
        if self.rank == 0:
            self.lines.append(f"{value}")

    def allreduce(self):
        return sum(map(float, self.lines))


def main():
    hvd.init()
    model = torch.nn.Linear(1, 1)
    optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1))
    calibration = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    report = Report(hvd.rank())
    for _ in range(3):
        loss = model(torch.rand(4, 1)).sum()
        loss.backward()
        optimizer.step()
        report.add(model)
        total = hvd.allreduce(loss, name="loss")
        if hvd.rank() == 0:
            calibration.step()
            print(total.item(), report.allreduce(), evaluate(model, everywhere=False))
            print(" ".join(report.lines))
    if hvd.local_rank() == 0:
        print("node done")
    hvd.barrier() if hvd.size() > 1 else None


if __name__ == "__main__":
    main()
