"""How results look in a terminal and for programs."""
