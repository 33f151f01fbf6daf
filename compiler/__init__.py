"""From a spec to Batch AI resources, in small named passes."""
