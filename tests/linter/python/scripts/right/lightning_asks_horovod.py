"""Lightning starts Horovod, and the script asks it afterwards."""
import horovod.torch as hvd
import pytorch_lightning as pl
from pytorch_lightning.callbacks import ModelCheckpoint

from nets import Net

trainer = pl.Trainer(accelerator="horovod", callbacks=[ModelCheckpoint("out")])
trainer.fit(Net())
if hvd.rank() == 0:
    print("done")
