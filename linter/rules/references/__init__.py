"""Rules about references to resources and directories, and about the service's variables."""
