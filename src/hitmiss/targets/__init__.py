"""What is to be explained: who is like whom, and who may be compared."""
