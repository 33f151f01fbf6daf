"""Who holds live resources."""
