"""What is computed, a folder per paper; `steps` and `baselines` serve several."""
