"""The methods by name, collected from the public estimators."""

import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin

import hitmiss
from hitmiss._util.errors import InputError
from hitmiss._util.text import suggestion

_WORDS = {"none": None, "null": None, "true": True, "false": False}


@dataclass(frozen=True)
class Method:
    """A method and its name.

    Parameters
    ----------
    name : str
        The name of the class in lower case: lofe, relieff, irelief.
    estimator : type
        The class.
    summary : str
        First line of its documentation.
    """

    name: str
    estimator: type[Any]
    summary: str

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters and their defaults."""
        return self.estimator().get_params(deep=False)


def methods() -> dict[str, Method]:
    """All methods, by name.

    Returns
    -------
    dict
        From name to `Method`, in alphabetical order.

    Examples
    --------
    >>> from hitmiss.registry import methods
    >>> methods()["irelief"].estimator.__name__
    'IRelief'
    """
    public = [getattr(hitmiss, name) for name in hitmiss._LAZY if name[0].isupper()]
    found = [item for item in public if inspect.isclass(item) and _is_selector(item)]
    return {m.name: m for m in sorted(map(_described, found), key=lambda m: m.name)}


def find_method(name: str) -> Method:
    """The method of that name; case, hyphens and underscores do not matter.

    Parameters
    ----------
    name : str
        Such as "lofe", or the name of a class.

    Returns
    -------
    Method
    """
    known = methods()
    plain = re.sub("[-_ ]", "", name).lower()
    if plain in known:
        return known[plain]
    hint = suggestion(plain, known, f"there are {', '.join(known)}.")
    raise InputError(f"There is no method {name!r}; {hint}")


def make(name: str, settings: Iterable[str] = (), *, seed: int = 0) -> Any:
    """An estimator from the words of a command line.

    Parameters
    ----------
    name : str
        Name of the method.
    settings : iterable of str, default=()
        Such as "sigma=1.5". A value is a number, true, false, none or text; it is never evaluated.
        The base of a method that has one is a method itself: "base=relieff",
        "base__n_neighbors=5".
    seed : int, default=0
        The `random_state` where `settings` do not name it.

    Returns
    -------
    estimator
        Not fitted. Whether the values make sense is checked by its `fit`.

    Examples
    --------
    >>> from hitmiss.registry import make
    >>> make("lofe", ["sigma=1.5", "max_features=10"])
    LOFE(max_features=10, sigma=1.5)
    >>> make("ensemble", ["base=relieff", "base__n_neighbors=5"]).base
    ReliefF(n_neighbors=5)
    """
    estimator = find_method(name).estimator()
    values = dict(map(_setting, settings))
    if "base" in values and "base" in estimator.get_params(deep=False):
        estimator.set_params(base=find_method(values.pop("base")).estimator())
    known = estimator.get_params()
    seeds = {key: seed for key in known if key.split("__")[-1] == "random_state"}
    for key in values:
        _check_known(key, known, name)
    return estimator.set_params(**seeds | {key: value_of(text) for key, text in values.items()})


def value_of(text: str) -> Any:
    """A number, True, False, None or the text itself.

    Parameters
    ----------
    text : str
        Value of a setting.

    Returns
    -------
    int, float, bool, None or str

    Examples
    --------
    >>> [value_of(text) for text in ("3", "1e-3", "none", "soft")]
    [3, 0.001, None, 'soft']
    """
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _is_selector(item: type) -> bool:
    return issubclass(item, BaseEstimator) and issubclass(item, SelectorMixin)


def _described(item: type) -> Method:
    summary = (inspect.getdoc(item) or item.__name__).splitlines()[0]
    return Method(item.__name__.lower(), item, summary)


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = (part.strip() for part in text.partition("="))
    if not key or not equals or not value:
        raise InputError(f"Write a setting as name=value, not {text!r}.")
    return key, value


def _check_known(key: str, known: dict[str, Any], name: str) -> None:
    if key in known:
        return
    hint = suggestion(key, known, f"it has {', '.join(known)}.")
    raise InputError(f"{name} has no parameter {key!r}; {hint}")
