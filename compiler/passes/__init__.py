"""The steps of a compilation, one a file."""
