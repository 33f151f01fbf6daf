"""Who runs the processes of a job."""
