"""What an attempt of a job is: its records, its files and where they are."""
