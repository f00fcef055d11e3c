"""Irrelevant features, appended to data without a second array of their size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike
from sklearn.utils import Bunch

from hitmiss._util.checks import check_count, check_float_dtype
from hitmiss._util.random import RandomStateLike, as_generator

# (generator, shape, dtype) -> values of that shape
Draw = Callable[[np.random.Generator, tuple[int, int], np.dtype], ArrayLike]

# Values drawn at a time: enough for the cost of a call not to matter, and 8 MB at most.
_PIECE = 2**20


def _normal(rng: np.random.Generator, shape: tuple[int, int], dtype: Any) -> np.ndarray:
    return rng.standard_normal(shape, dtype=dtype)


def _uniform(rng: np.random.Generator, shape: tuple[int, int], dtype: Any) -> np.ndarray:
    return rng.random(shape, dtype=dtype)


def _binary(rng: np.random.Generator, shape: tuple[int, int], dtype: Any) -> np.ndarray:
    return rng.random(shape, dtype=np.float32) < 0.5


_DRAWS: dict[str, Draw] = {"normal": _normal, "uniform": _uniform, "binary": _binary}
_KINDS = (*_DRAWS, "permuted")


def add_irrelevant(
    X: Any,
    n: int,
    kind: str | Draw = "normal",
    *,
    dtype: DTypeLike | None = None,
    random_state: RandomStateLike = None,
) -> Any:
    """Data with `n` irrelevant features appended; the features it had stay first.

    The new columns are drawn independently of the labels, so whatever a method finds in them is
    chance. They are written piece by piece: only a few megabytes are needed besides the result.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features) or Bunch
        The data, or a dataset as the generators return it; not changed.
    n : int
        Number of features to append.
    kind : {"normal", "uniform", "binary", "permuted"} or callable, default="normal"
        Distribution of the new features: standard normal; uniform on [0, 1); 0 or 1 with equal
        probability; or the columns of `X` in turn, each shuffled, which keeps every value and
        breaks the dependence on the labels. A callable gets a Generator, a shape and
        a dtype and returns values of that shape; it is called for a few rows at a time.
    dtype : {float32, float64}, default=None
        Type of the result. None keeps float32 and float64 and turns all else to float64.
    random_state : int, Generator, RandomState or None, default=None
        Pass an integer for the same features every time.

    Returns
    -------
    ndarray of shape (n_samples, n_features + n) or Bunch
        An array for an array, a new Bunch for a Bunch. If the Bunch has no
        ``relevant``, all its features count as relevant.

    Examples
    --------
    >>> import numpy as np
    >>> from hitmiss.datasets import add_irrelevant, make_xor
    >>> X = np.array([[0.0, 1.0], [2.0, 3.0]])
    >>> add_irrelevant(X, 3, kind="binary", random_state=0)
    array([[0., 1., 0., 0., 0.],
           [2., 3., 1., 1., 1.]])
    >>> xor = add_irrelevant(make_xor(), 1000, dtype=np.float32, random_state=0)
    >>> xor.data.shape, xor.relevant, xor.feature_names[-1]
    ((200, 1002), array([0, 1]), 'irrelevant999')
    """
    check_count("n", n, 0)
    if not callable(kind) and kind not in _KINDS:
        raise ValueError(f"kind must be one of {', '.join(_KINDS)} or a callable; got {kind!r}.")
    rng = as_generator(random_state)
    if not isinstance(X, Bunch):
        return _widened(_matrix(X), n, kind, dtype, rng)
    old = _matrix(X.data)
    names = list(X.get("feature_names", [f"x{j}" for j in range(old.shape[1])]))
    label = getattr(kind, "__name__", "custom") if callable(kind) else kind
    new = {
        "data": _widened(old, n, kind, dtype, rng),
        "relevant": np.array(X.get("relevant", np.arange(old.shape[1])), dtype=np.intp),
        "feature_names": names + [f"irrelevant{i}" for i in range(n)],
        "DESCR": X.get("DESCR", "") + (f" With {n} irrelevant features ({label})." if n else ""),
    }
    return Bunch(**{**X, **new})


def _matrix(X: Any) -> np.ndarray:
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, samples and features; got {X.ndim}.")
    if X.dtype.kind not in "biuf":
        raise ValueError(f"X must hold real numbers; got dtype {X.dtype}.")
    return X


def _widened(
    X: np.ndarray, n: int, kind: str | Draw, dtype: DTypeLike | None, rng: np.random.Generator
) -> np.ndarray:
    n_samples, n_features = X.shape
    if dtype is None:
        dtype = X.dtype if X.dtype in (np.float32, np.float64) else np.float64
    if kind == "permuted" and n_features == 0 < n:
        raise ValueError("X must have at least one feature for kind='permuted'.")
    out = np.empty((n_samples, n_features + n), dtype=check_float_dtype("dtype", dtype))
    out[:, :n_features] = X
    if kind == "permuted":
        _fill_permuted(out[:, n_features:], X, rng)
    else:
        _fill_drawn(out[:, n_features:], kind if callable(kind) else _DRAWS[kind], rng)
    return out


def _fill_drawn(out: np.ndarray, draw: Draw, rng: np.random.Generator) -> None:
    n_samples, n = out.shape
    rows = max(1, _PIECE // max(1, n))
    for start in range(0, n_samples, rows):
        piece = out[start : start + rows]
        piece[...] = draw(rng, (len(piece), n), out.dtype)


def _fill_permuted(out: np.ndarray, X: np.ndarray, rng: np.random.Generator) -> None:
    n_samples, n = out.shape
    columns = max(1, _PIECE // max(1, n_samples))
    for start in range(0, n, columns):
        piece = out[:, start : start + columns]
        source = np.arange(start, start + piece.shape[1]) % X.shape[1]
        piece[...] = rng.permuted(X[:, source], axis=0)
