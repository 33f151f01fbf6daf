"""Changes pictures, of which each rank has its share; there is no model to train."""
import os

import torch
import torchvision
import horovod.torch as hvd

hvd.init()
network = torchvision.models.vgg19(pretrained=True).features.eval()
out = os.environ["AZ_BATCHAI_OUTPUT_MODEL"]
pictures = torch.rand(100, 3, 64, 64)
for step in range(len(pictures) // hvd.size()):
    number = step * hvd.size() + hvd.rank()
    picture = pictures[number : number + 1].clone().requires_grad_()
    optimizer = torch.optim.LBFGS([picture])

    def closure():
        optimizer.zero_grad()
        loss = network(picture).pow(2).mean()
        loss.backward()
        return loss

    optimizer.step(closure)
    torchvision.utils.save_image(picture, os.path.join(out, f"{number}.png"))
