"""The language: YAML with positions, the models of a spec, findings."""
