"""From bytes to data: parsers of YAML and JSON, and their errors."""
