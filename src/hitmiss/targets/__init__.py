"""Targets: which samples are alike, and which may be compared."""
