"""Sections on real batches."""
