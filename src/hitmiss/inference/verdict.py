"""Is anything there: a verdict in one sentence, from numbers that were measured."""

from math import sqrt
from typing import NamedTuple

LARGEST_P = 0.1  # p-value of the fit as a whole above which nothing is said to be there:
# convention, and what the default of the false discovery rate is
CLEARLY_BELOW = 2  # standard errors by which an error must be below that of guessing: a method that
# only guesses gets there in about 2 % of cases


class Evidence(NamedTuple):
    """Measurements of a selection; None for what was not measured."""

    n_features: int  # of the data
    n_selected: int
    fdr: float = 0.1
    error: float | None = None  # on samples that had no part in the selection
    standard_error: float | None = None  # of that error, as by `standard_error`
    guessing_error: float | None = None
    p_value: float | None = None  # of the fit as a whole, by permuted labels
    n_permutations: int = 0  # that were done
    n_requested: int = 0  # permutations
    n_significant: int = 0  # features with a q-value of at most `fdr`
    n_significant_selected: int | None = None  # those of them that are selected
    n_attributable: int | None = None  # those that can be told from their correlates
    measure: str = "error"  # or what is 1 - error: "R²" or "concordance"

    @property
    def better_than_guessing(self) -> bool | None:
        """Whether the error is clearly below that of guessing; None if it was not measured."""
        if self.error is None or self.standard_error is None or self.guessing_error is None:
            return None
        return clearly_below(self.error, self.standard_error, self.guessing_error)

    @property
    def too_few(self) -> bool:
        """Whether no permuted labels do as well, and there are too few of them to say so."""
        smallest = 1 / (1 + self.n_permutations)
        return self.p_value == smallest > LARGEST_P


class Verdict(NamedTuple):
    """Whether a selection is to be believed."""

    level: str  # "real", "doubtful", "nothing", or "untested" if no labels were permuted
    sentence: str
    evidence: Evidence


def standard_error(error: float, n_samples: int) -> float:
    """Standard error of a share of wrong samples: binomial, as if they were independent."""
    return sqrt(error * (1 - error) / n_samples)


def clearly_below(error: float, standard_error: float, guessing_error: float) -> bool:
    """Whether an error is below that of guessing by more than chance would explain.

    Parameters
    ----------
    error : float
        Share of wrong samples.
    standard_error : float
        Of the error.
    guessing_error : float
        Error of always guessing the commonest class.
    """
    return guessing_error - error > CLEARLY_BELOW * standard_error


def verdict_on(evidence: Evidence) -> Verdict:
    """The verdict on a selection.

    It is "real" if the p-value of the whole is at most 0.1, some feature has a q-value of at most
    `fdr`, and the error, if it was measured, is clearly better than guessing. It is "nothing" if
    none of the three holds, and "doubtful" in between.

    Parameters
    ----------
    evidence : Evidence
        What was measured.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> from hitmiss.inference import Evidence, verdict_on
    >>> known = Evidence(7129, 10, error=0.08, standard_error=0.03, guessing_error=0.35)
    >>> verdict_on(known._replace(p_value=0.05, n_permutations=19, n_significant=4)).sentence
    '10 features; error 8 ± 3 % (guessing 35 %), permutation p 0.05; 4 with q ≤ 0.1.'
    >>> verdict_on(known._replace(p_value=0.7, n_permutations=19, error=0.5)).sentence
    'Nothing here: permutation p 0.7, error 50 ± 3 %, not clearly better than guessing (35 %); ...'
    """
    level = _level(evidence)
    return Verdict(level, _SENTENCES[level](evidence), evidence)


def _level(known: Evidence) -> str:
    if known.p_value is None:
        return "untested"
    small, better = known.p_value <= LARGEST_P, known.better_than_guessing
    if small and known.n_significant and better is not False:
        return "real"
    return "doubtful" if small or known.n_significant or better or known.too_few else "nothing"


def _real(known: Evidence) -> str:
    measured = ", ".join(filter(None, (_error(known), _p_value(known))))
    return f"{_count(known.n_selected)}; {measured}; {_significant(known)}."


def _doubtful(known: Evidence) -> str:
    return f"Doubtful: {_real(known)}"


def _nothing(known: Evidence) -> str:
    measured = ", ".join(filter(None, (_p_value(known), _error(known))))
    return f"Nothing here: {measured}; none of {_count(known.n_features)} with q ≤ {known.fdr:g}."


def _untested(known: Evidence) -> str:
    return "; ".join(filter(None, (f"{_count(known.n_selected)}, not tested", _error(known)))) + "."


_SENTENCES = {
    "real": _real,
    "doubtful": _doubtful,
    "nothing": _nothing,
    "untested": _untested,
}


def _count(n: int) -> str:
    return f"{n:,} {'feature' if n == 1 else 'features'}"


def _error(known: Evidence) -> str:
    if known.error is None or known.standard_error is None or known.guessing_error is None:
        return ""
    if known.measure != "error":
        return _score(known, known.error, known.standard_error, known.guessing_error)
    spread = 100 * known.standard_error
    digits = 1 if 0 < spread < 0.5 else 0
    # A share of 0 or 1 has no binomial spread.
    plus_minus = f" ± {spread:.{digits}f}" if spread else ""
    found = f"error {100 * known.error:.{digits}f}{plus_minus} %"
    guessing = f"{100 * known.guessing_error:.{digits}f} %"
    if known.better_than_guessing:
        return f"{found} (guessing {guessing})"
    return f"{found}, not clearly better than guessing ({guessing})"


def _score(known: Evidence, error: float, standard_error: float, guessing_error: float) -> str:
    found = f"{known.measure} {1 - error:.2f} ± {standard_error:.2f}"
    guessing = f"{1 - guessing_error:g}"
    if known.better_than_guessing:
        return f"{found} (guessing {guessing})"
    return f"{found}, not clearly better than guessing ({guessing})"


def _p_value(known: Evidence) -> str:
    found, done = f"permutation p {known.p_value:.2g}", f"{known.n_permutations} permutations"
    if known.n_permutations < known.n_requested:
        done = f"{known.n_permutations} of {known.n_requested} permutations"
    if known.too_few:
        return f"{found} (too few to tell: {done})"
    return f"{found} ({done})" if known.n_permutations < known.n_requested else found


def _significant(known: Evidence) -> str:
    n, listed = known.n_significant, known.n_significant_selected
    outside = f" ({listed} of them listed)" if listed is not None and listed < n else ""
    attributable = ""
    if n and known.n_attributable is not None:
        attributable = f", {known.n_attributable or 'none'} attributable"
    return f"{n or 'none'} with q ≤ {known.fdr:g}{outside}{attributable}"
