"""Hostile input and rough handling, for as long as one likes: ``make fuzz``."""
