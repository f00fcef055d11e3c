"""What runs, stores and renders any experiment."""
