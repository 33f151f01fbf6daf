"""The models of what a person writes, one for each mapping of a spec."""
