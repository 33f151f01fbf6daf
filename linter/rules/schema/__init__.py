"""Rules about the kind of a file and its `$schema`."""
