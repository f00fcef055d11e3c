"""Real batches, of no paper of this library."""
