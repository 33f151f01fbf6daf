"""What Python scripts say, found in their text without running them."""
