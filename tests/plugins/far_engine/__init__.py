"""An engine for tests: each node of a job is a process of its own, and sees only what is shared."""
