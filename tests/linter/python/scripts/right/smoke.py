"""Shows what a node has; nothing is trained."""
import platform

import torch

print(platform.node(), torch.__version__, torch.cuda.device_count())
