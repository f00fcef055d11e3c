"""The page on online LOFE."""
