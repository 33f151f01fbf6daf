"""Rules about the files that jobs run, where they lie in folders of this machine."""
