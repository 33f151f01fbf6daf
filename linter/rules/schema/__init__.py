"""Rules of group 2: the form that Batch AI's schema and the language give."""
