"""The process that runs one attempt, on one node or several."""
