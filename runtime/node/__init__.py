"""What runs on a node: processes, cores, environment, output."""
