"""Rules of group 9: how files are written."""
