"""The documentation page of each code."""
