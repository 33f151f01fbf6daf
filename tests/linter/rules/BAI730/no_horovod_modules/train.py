"""Neither the script nor its modules know of Horovod."""
import nets
from steps.train import run

run(nets.build())
