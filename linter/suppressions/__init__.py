"""Comments that suppress findings."""
