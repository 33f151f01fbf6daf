"""Positions in source text, and edits of it."""
