"""What the page shows of the stored results, a folder per paper."""
