"""Providers: they hold live resources."""
