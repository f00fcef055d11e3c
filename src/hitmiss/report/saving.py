"""The report of a fit as a file, in one call."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from hitmiss.report.page import render
from hitmiss.report.summary import summarize


def save(
    estimator: Any, X: Any, y: ArrayLike, path: str | os.PathLike[str], **contents: Any
) -> Path:
    """Write the report of a fit to an HTML file.

    Parameters
    ----------
    estimator : object
        A fitted selector.
    X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
        The samples it was fitted on.
    y : array-like of shape (n_samples,) or (n_samples, 2)
        Their class labels, or what else the estimator explains: numbers, or events and times.
    path : str or path-like
        The file, replaced if it exists.
    **contents : object
        What else the report shows, as in `summarize`: `title`, `stability`, `cross_validation`.

    Returns
    -------
    Path
        The absolute path, to be opened in a browser.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from hitmiss import LOFE, datasets, report
    >>> X, y = datasets.make_xor(n_irrelevant=8, random_state=0, return_X_y=True)
    >>> report.save(LOFE().fit(X, y), X, y, f"{mkdtemp()}/xor.html").name
    'xor.html'
    """
    html = render(summarize(estimator, X, y, **contents))
    file = Path(path).absolute()
    file.write_text(html, encoding="utf-8", newline="\n")
    return file
