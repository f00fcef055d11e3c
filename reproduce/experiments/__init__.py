"""What is computed, a folder per paper; `steps` holds what they share."""
