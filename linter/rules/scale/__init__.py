"""Rules about nodes, processes and clusters."""
