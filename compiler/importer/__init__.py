"""From Batch AI's own files back to a compact spec."""
