"""Nominal features of a table, handed to a method and kept in its model."""

from typing import TYPE_CHECKING, Any

from hitmiss._util.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss.io import Table

UNSEEN = -1.0  # code of a word that the model does not know: it differs from all others


def told(estimator: Any, table: "Table") -> Any:
    """The estimator, told which features are nominal; an error if it takes none.

    Parameters
    ----------
    estimator : estimator
        Not fitted.
    table : Table
        Its `levels` name the nominal features.
    """
    if not table.levels:
        return estimator
    names = list(table.levels)
    if "categorical" not in estimator.get_params(deep=False):
        raise InputError(
            f"{type(estimator).__name__} takes no words, and column {names[0]!r} holds some; leave "
            f"it out with --drop {','.join(names)}, or use another method."
        )
    return estimator.set_params(categorical=[table.feature_names.index(name) for name in names])


def keep_levels(estimator: Any, table: "Table") -> None:
    """Let a fitted estimator know the words that its codes stand for."""
    if table.levels:
        place = {name: j for j, name in enumerate(table.feature_names)}
        estimator.categories_ = {place[name]: list(words) for name, words in table.levels.items()}


def known_levels(estimator: Any, names: tuple[str, ...]) -> dict[str, list[Any]]:
    """Words of the nominal features of a model, of those that are named."""
    every = getattr(estimator, "feature_names_in_", None)
    found = getattr(estimator, "categories_", {})
    called = {j: f"x{j}" if every is None else every[j] for j in found}
    return {called[j]: words for j, words in found.items() if words and called[j] in names}


def recoded(table: "Table", known: dict[str, list[Any]]) -> "NDArray":
    """X with words as the codes that they have in a model.

    Parameters
    ----------
    table : Table
        New samples.
    known : dict
        Words of the model, as from `known_levels`.
    """
    import numpy as np

    X = table.X.copy() if known else table.X
    for name, words in known.items():
        j, codes = table.feature_names.index(name), {str(word): k for k, word in enumerate(words)}
        values = np.array([float(codes.get(word, UNSEEN)) for word in table.levels[name]])
        there = ~np.isnan(X[:, j])
        X[there, j] = values[X[there, j].astype(int)]
    return X
