"""The other ways from margins to weights: I-RELIEF, FREL and Simba."""
