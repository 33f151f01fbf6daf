"""Rules of group 8: how much of something there is."""
