"""Rules of group 3: single values."""
