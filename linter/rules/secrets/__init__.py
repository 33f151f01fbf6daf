"""Rules about secrets and placeholders."""
