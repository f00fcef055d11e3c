"""The page on LOFE."""
