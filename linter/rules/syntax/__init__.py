"""Rules of group 1: what makes a file readable."""
