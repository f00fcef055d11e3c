"""The page on I-RELIEF."""
