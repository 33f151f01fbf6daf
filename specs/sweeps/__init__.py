"""Sweeps: from one job to its members."""
