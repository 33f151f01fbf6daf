"""Messages for what breaks the published schemas."""
