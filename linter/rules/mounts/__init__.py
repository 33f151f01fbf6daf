"""Rules of group 5: volumes, and paths below them."""
