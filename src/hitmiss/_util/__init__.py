"""What every room may use: errors, files, threads, random numbers, text."""
