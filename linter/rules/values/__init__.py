"""Rules of group 3: what single values may be."""
