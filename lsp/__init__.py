"""The language server: what editors ask about specs and Batch AI's files."""
