"""Linting files: discovery, settings, processes, and the programs of this machine."""
