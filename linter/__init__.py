"""The linter: rules over resources and files."""
