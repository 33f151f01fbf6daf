"""An engine for tests with a queue and nodes of its own, as Slurm has them."""
