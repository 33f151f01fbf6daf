"""The search for secrets in plain text."""
