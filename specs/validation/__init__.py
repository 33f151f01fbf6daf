"""Messages for what the models of the language refuse."""
