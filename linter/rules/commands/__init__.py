"""Rules about the command lines of jobs and setup tasks."""
