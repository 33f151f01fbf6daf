"""How a volume becomes a directory on a node."""
