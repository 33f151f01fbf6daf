"""Rules of group 4: what names something that stands elsewhere."""
