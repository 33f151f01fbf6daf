"""Batch AI's resources in their wire form, api-version 2018-05-01, as typed models."""
