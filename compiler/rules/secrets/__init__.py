"""Rules of group 6: secrets."""
