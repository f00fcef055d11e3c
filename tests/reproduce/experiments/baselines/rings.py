"""Samples that no single feature tells apart."""

from hitmiss import datasets


def ring(n_samples=60, n_irrelevant=0):
    X, y = datasets.make_ringnorm(
        n_samples, n_irrelevant=n_irrelevant, random_state=0, return_X_y=True
    )
    return X / X.std(axis=0), y
