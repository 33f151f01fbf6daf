"""bai: from one compact YAML file to a training run."""
