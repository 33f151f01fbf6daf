"""Rules of group 6: keys, passwords and tokens, and where they stand."""
