"""Checks over a spec and its resources, one a file."""
