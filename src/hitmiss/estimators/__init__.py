"""Scikit-learn faces of the methods."""
