"""What runs, stores and renders any experiment, whatever it computes."""
