"""Helpers for all packages: checks, errors, files, threads, random numbers, text."""
