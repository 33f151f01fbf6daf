"""Tables of Batch AI: files, keys, variables, VM sizes, regions."""
