"""Python scripts: what Horovod code in them does, found in their syntax trees."""
