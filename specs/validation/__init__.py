"""From invalid specs to findings: messages, examples, meanings of unknown keys, recovery."""
