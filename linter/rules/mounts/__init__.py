"""Rules about mount volumes."""
