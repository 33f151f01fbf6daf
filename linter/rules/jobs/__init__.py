"""Rules about what jobs run, and on how many nodes."""
