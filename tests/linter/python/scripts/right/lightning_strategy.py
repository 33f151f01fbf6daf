"""Lightning starts Horovod by itself."""
import os

import pytorch_lightning as pl
import torch
from pytorch_lightning.callbacks import ModelCheckpoint


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def training_step(self, batch, index):
        return self.layer(batch).mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


folder = os.environ["AZ_BATCHAI_OUTPUT_MODEL"]
trainer = pl.Trainer(strategy="horovod", max_epochs=2, callbacks=[ModelCheckpoint(folder)])
trainer.fit(Net(), torch.utils.data.DataLoader(torch.rand(8, 2)))
trainer.save_checkpoint(os.path.join(folder, "last.ckpt"))
