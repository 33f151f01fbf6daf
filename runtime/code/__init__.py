"""Snapshots of the folders of code that jobs run in."""
