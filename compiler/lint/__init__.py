"""Checks of files as people wrote them: specs and Batch AI's own."""
