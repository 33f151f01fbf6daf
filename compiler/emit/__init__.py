"""Output forms of a compilation, one a file."""
