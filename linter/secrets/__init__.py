"""Secrets in plain text: where they are, and what only looks like one."""
