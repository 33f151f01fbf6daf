"""What command lines say, and what a shell would make of it."""
