"""What would change, in which order, and doing it."""
