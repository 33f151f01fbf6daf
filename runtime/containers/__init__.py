"""Containers: what a job's is, and the command lines of the programs that run them."""
