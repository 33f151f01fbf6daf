"""Plans: what would change, in which order, and its execution."""
