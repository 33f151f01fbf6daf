"""JSON Schemas of Batch AI's files and of specs, and the validators over them."""
