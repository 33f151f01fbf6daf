"""Rules of group 7: what jobs run: toolkits, command lines and scripts."""
