"""Lists, q-values, stability and verdicts on real data are those of another machine."""

import json
from functools import cache

import pytest

from tests.machines import answers
from tests.machines.record import ANSWERS

# Weights agree to 1e-6 of the largest; what is computed from them, or with half of the samples, may
# be off by more of its own size. Whatever is counted is the same.
AGREED = 1e-4


@cache
def recorded():
    return json.loads(ANSWERS.read_text(encoding="utf-8"))


def differences(found, expected, path=""):
    """Where two answers differ: words and whole numbers at all, others by more than is agreed."""
    if isinstance(expected, dict) and isinstance(found, dict):
        assert found.keys() == expected.keys(), path
        for key in expected:
            yield from differences(found[key], expected[key], f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(found, list) and len(found) == len(expected):
        for k, pair in enumerate(zip(found, expected, strict=True)):
            yield from differences(*pair, f"{path}[{k}]")
    elif isinstance(expected, float) and isinstance(found, int | float):
        if abs(found - expected) > AGREED * max(abs(expected), 0.01):
            yield f"{path}: {found}, was {expected}"
    elif found != expected:
        yield f"{path}: {found}, was {expected}"


@pytest.mark.parametrize("dtype", answers.DTYPES)
@pytest.mark.parametrize("name", answers.SETS)
def test_the_answer_is_that_of_another_machine(data_home, name, dtype, tmp_path):
    found = answers.answer(data_home, name, dtype, tmp_path)
    assert list(differences(found, recorded()[f"{name} {dtype}"])) == []


def test_a_difference_is_found():
    known = {"list": ["a", "b"], "q": 0.1, "n": 3}
    assert list(differences({"list": ["a", "b"], "q": 0.1 + 1e-9, "n": 3}, known)) == []
    assert len(list(differences({"list": ["b", "a"], "q": 0.2, "n": 4}, known))) == 4
