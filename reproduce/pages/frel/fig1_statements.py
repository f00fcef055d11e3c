"""Statements of FREL's Figs. 1 and 3 to 5, and whether they hold under each reading."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from hitmiss.metrics import nogueira_stability, stability_accuracy_tradeoff, stability_difference
from reproduce.experiments.frel.fig1 import SETS
from reproduce.experiments.frel.readings import (
    BY_RANKS,
    N_METHODS,
    NOGUEIRA,
    READINGS,
    WITHOUT_MEASURE,
    Reading,
    names_of_seven,
)
from reproduce.harness.records import cases_in
from reproduce.harness.section import Check
from reproduce.pages.names import shown

LOWEST, HIGHEST = "En-Log+L1", ("En-Log+L2", "En-Square+L2")
FLAT = 0.002  # a smaller step down is none, and a smaller rise is no growth
SATURATED = 0.02  # gain from 10 to 20 members that is called little
COMPARABLE = 0.05  # accuracy below the best of seven that is called comparable
LEVEL = 0.05  # of the tests by Nogueira's measure


class Statement(NamedTuple):
    """A claim of the paper, and how it is judged.

    Parameters
    ----------
    claim : str
        In words.
    readings : tuple of Reading
        All under which it is judged; the first is the literal one.
    holds : callable
        From the records of the seven and a measure to True, False or None for open.
    instead : callable
        From the same to what was found, where it does not hold.
    """

    claim: str
    readings: tuple[Reading, ...]
    holds: Callable[[dict, str | None], bool | None]
    instead: Callable[[dict, str | None], str]


def by_method(records, case):
    """Method -> record on one set."""
    return {key.method: record for key, record in records.items() if key.case == case}


def seven(records, case, reading):
    """Name in Fig. 1 -> record on one set; those that are there."""
    there = by_method(records, case)
    names = names_of_seven(reading)
    return {name: there[method] for name, method in names.items() if method in there}


def supports(record):
    """Which features are selected on each subsample."""
    found = np.zeros((len(record["selected"]), record["n_features"]), bool)
    for row, features in zip(found, record["selected"], strict=True):
        row[features] = True
    return found


def stability(record, by):
    """Stability of the ensemble with all its members."""
    if by == NOGUEIRA:
        return nogueira_stability(supports(record)).stability
    return list(record["ensemble"][by].values())[-1]


def more_stable(first, second, by):
    """Whether the second is more stable; None where Nogueira's test leaves it open."""
    if by != NOGUEIRA:
        return stability(first, by) < stability(second, by)
    statistic, p_value = stability_difference(supports(first), supports(second))
    return None if p_value >= LEVEL else statistic > 0


def ordered(found, low, high, by):
    """Whether each of `low` is less stable than each of `high`; None if that is open for some."""
    verdicts = [more_stable(found[a], found[b], by) for a in low for b in high]
    if False in verdicts:
        return False
    return None if None in verdicts else True


def l1_is_lowest(found, by):
    return ordered(found, [LOWEST], [name for name in found if name != LOWEST], by)


def l2_are_highest(found, by):
    return ordered(found, [name for name in found if name not in HIGHEST], HIGHEST, by)


def in_order(values, factor=1):
    """Names and numbers, the largest first."""
    digits = 3 if factor == 1 else 1
    names = sorted(values, key=values.get, reverse=True)
    return "; ".join(f"{name} ({factor * values[name]:.{digits}f})" for name in names)


def order_of_stability(found, by):
    values = {name: stability(record, by) for name, record in found.items()}
    return f"the most stable first: {in_order(values)}"


def tradeoffs(record, by):
    """Classifier -> harmonic mean of stability and accuracy of the ensemble."""
    stable, right = stability(record, by), record["accuracy"]["ensemble"]
    return {name: stability_accuracy_tradeoff(stable, share) for name, share in right.items()}


def best_tradeoffs(found, by):
    """Classifier -> name of the method with the best trade-off."""
    values = {name: tradeoffs(record, by) for name, record in found.items()}
    classifiers = next(iter(values.values()))
    return {c: max(values, key=lambda name: values[name][c]) for c in classifiers}


def l2_trades_best(found, by):
    return set(best_tradeoffs(found, by).values()) <= set(HIGHEST)


def best_by_classifier(found, by):
    best = best_tradeoffs(found, by).items()
    return "best trade-off: " + ", ".join(f"{name} by {c}" for c, name in best)


def grown(found, by):
    """Name -> stability by number of members, of those that have members."""
    curves = {name: list(record["ensemble"][by].values()) for name, record in found.items()}
    return {name: curve for name, curve in curves.items() if len(curve) > 1}


def rises(values):
    """Whether the last value is above the first, and no step goes down, by `FLAT` or more."""
    return bool(values[-1] - values[0] >= FLAT and (np.diff(values) > -FLAT).all())


def not_rising(found, by):
    """Name -> stability by number of members, of the ensembles where it does not grow."""
    return {name: curve for name, curve in grown(found, by).items() if not rises(curve)}


def curves_that_do_not_rise(found, by):
    lines = (f"{name} ({', '.join(map(str, c))})" for name, c in not_rising(found, by).items())
    return f"stability with 1, 5, 10 and 20 members: {'; '.join(lines)}"


def gaining(found, by):
    """Name -> gain from the last step in members, of the ensembles that still gain."""
    gains = {name: curve[-1] - curve[-2] for name, curve in grown(found, by).items()}
    return {name: gain for name, gain in gains.items() if gain >= SATURATED}


def accuracies(found):
    """Name -> accuracy of the ensemble, mean over the classifiers."""
    return {
        name: float(np.mean(list(record["accuracy"]["ensemble"].values())))
        for name, record in found.items()
    }


def l2_are_comparable(found, by):
    right = accuracies(found)
    return max(right.values()) - min(right[name] for name in HIGHEST) <= COMPARABLE


STATEMENTS = (
    Statement(
        "En-Log+L1 is the least stable of the seven", READINGS, l1_is_lowest, order_of_stability
    ),
    Statement(
        "En-Log+L2 and En-Square+L2 are more stable than the other five",
        READINGS,
        l2_are_highest,
        order_of_stability,
    ),
    Statement(
        "En-Log+L2 or En-Square+L2 has the best trade-off for each of the four classifiers",
        READINGS,
        l2_trades_best,
        best_by_classifier,
    ),
    Statement(
        "stability grows with the number of members, for every ensemble",
        BY_RANKS,
        lambda found, by: not not_rising(found, by),
        curves_that_do_not_rise,
    ),
    Statement(
        f"it saturates near 20 members, no ensemble gains {SATURATED} or more from 10",
        BY_RANKS,
        lambda found, by: not gaining(found, by),
        lambda found, by: f"gain from 10 to 20 members: {in_order(gaining(found, by))}",
    ),
    Statement(
        "accuracy of En-Log+L2 and En-Square+L2, mean over the classifiers, at most "
        f"{100 * COMPARABLE:g} points below the best",
        WITHOUT_MEASURE,
        l2_are_comparable,
        lambda found, by: (
            f"accuracy in percent, the best first: {in_order(accuracies(found), 100)}"
        ),
    ),
)


def verdicts(records, case, statement):
    """Reading -> whether the statement holds; None as long as some of the seven are missing."""
    found = {reading: seven(records, case, reading) for reading in statement.readings}
    return {
        reading: statement.holds(some, reading.by) if len(some) == N_METHODS else None
        for reading, some in found.items()
    }


def checks(records):
    """Every statement on every set, held under the literal reading; and whether all are judged."""
    judged = []
    for case in cases_in(records, SETS):
        for statement in STATEMENTS:
            found = verdicts(records, case, statement)
            literal = statement.readings[0]
            text = f"{shown(case)}: {statement.claim} ({literal})"
            judged.append(found[literal])
            yield Check(found[literal], text, f"it to hold under {tally(found)}")
    complete = all(len(seven(records, case, r)) == N_METHODS for case in SETS for r in READINGS)
    text = "every statement is judged on every set under every reading"
    found = f"{sum(map(bool, judged))} of {len(judged)} statements hold, read literally"
    yield Check(True if complete else None, text, found, aim="frel orders")


def tally(found):
    """How many of the readings hold, and how many are open, as "3 of 12 readings, 2 open"."""
    verdicts = list(found.values())
    n_open = sum(verdict is None for verdict in verdicts)
    held = f"{sum(verdict is True for verdict in verdicts)} of {len(verdicts)} readings"
    return held + (f", {n_open} open" if n_open else "")
