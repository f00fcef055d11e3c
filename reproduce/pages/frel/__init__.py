"""The page on FREL."""
