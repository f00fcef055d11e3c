"""Nominal features of a table, handed to a method and kept in its model."""

from typing import TYPE_CHECKING, Any

from hitmiss._util.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss.io import Table


def told(estimator: Any, table: "Table") -> Any:
    """Tell the estimator which features are nominal; raise an error if it takes none.

    An estimator around another is told through its base.

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
    _set_base(estimator)
    rules = [name for name in estimator.get_params() if name.split("__")[-1] == "categorical"]
    if not rules:
        raise InputError(
            f"{type(estimator).__name__} cannot use words, but column {names[0]!r} holds some; "
            f"exclude it with --drop {','.join(names)}, or use another method."
        )
    index = [table.feature_names.index(name) for name in names]
    return estimator.set_params(**dict.fromkeys(rules, index))


def keep_levels(estimator: Any, table: "Table") -> None:
    """Store in a fitted estimator the words that its codes stand for."""
    if table.levels:
        place = {name: j for j, name in enumerate(table.feature_names)}
        estimator.categories_ = {place[name]: list(words) for name, words in table.levels.items()}


def _set_base(estimator: Any) -> None:
    """Set a base that is None, at any depth, to the one it stands for, which has parameters."""
    if "base" not in estimator.get_params(deep=False):
        return
    if estimator.base is None:
        estimator.set_params(base=estimator._base())
    _set_base(estimator.base)


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

    from hitmiss.data.categories import UNSEEN

    X = table.X.copy() if known else table.X
    for name, words in known.items():
        j, codes = table.feature_names.index(name), {str(word): k for k, word in enumerate(words)}
        values = np.array([float(codes.get(word, UNSEEN)) for word in table.levels[name]])
        there = ~np.isnan(X[:, j])
        X[there, j] = values[X[there, j].astype(int)]
    return X
