"""What holds and runs resources."""
