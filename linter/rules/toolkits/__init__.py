"""Rules about toolkits and their arguments."""
