"""Rules of group 7: what the toolkits want."""
