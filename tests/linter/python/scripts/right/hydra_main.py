"""Settings come from hydra."""
import hydra
import torch
import horovod.torch as hvd


@hydra.main(config_path="conf", config_name="config")
def main(cfg):
    hvd.init()
    cfg.is_master = hvd.rank() == 0
    model = torch.nn.Linear(1, 1)
    model(torch.rand(1, 1)).backward()
    if cfg.is_master:
        torch.save(model.state_dict(), cfg.checkpoint)


main()
