import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator

import hitmiss
from hitmiss import LOFE, IRelief, ReliefF
from hitmiss.registry import find_method, make, methods, value_of


def test_every_public_estimator_is_a_method():
    public = [getattr(hitmiss, name) for name in hitmiss._LAZY]
    classes = {c for c in public if inspect.isclass(c) and issubclass(c, BaseEstimator)}
    assert {method.estimator for method in methods().values()} == classes
    assert all(name == m.name == m.estimator.__name__.lower() for name, m in methods().items())


def test_a_new_estimator_appears_by_itself(monkeypatch):
    class Novel(ReliefF):
        """A new idea."""

    monkeypatch.setitem(hitmiss._LAZY, "Novel", __name__)
    monkeypatch.setattr(hitmiss, "Novel", Novel, raising=False)
    assert methods()["novel"].summary == "A new idea."
    assert isinstance(make("novel"), Novel)


def test_summaries_are_one_sentence():
    for method in methods().values():
        assert method.summary.endswith(".")
        assert "\n" not in method.summary


@pytest.mark.parametrize("name", ["irelief", "IRelief", "i-relief", "I_RELIEF"])
def test_case_and_hyphens_do_not_matter(name):
    assert find_method(name).estimator is IRelief


def test_unknown_names_are_answered_with_the_closest():
    with pytest.raises(ValueError, match="There is no method 'relief-g'; did you mean 'relief'"):
        find_method("relief-g")
    with pytest.raises(ValueError, match="There is no method 'qqq'; there are backwardelimination"):
        find_method("qqq")


def test_settings_become_parameters():
    made = make("lofe", ["sigma=1.5", "max_features = 3", "scale=none", "verbose=true"])
    assert isinstance(made, LOFE)
    assert (made.sigma, made.max_features, made.scale, made.verbose) == (1.5, 3, None, True)


def test_a_base_is_a_method_itself():
    made = make("ensemble", ["base__n_neighbors=3", "base=ReliefF", "n_estimators=5"])
    assert (type(made.base), made.base.n_neighbors, made.n_estimators) == (ReliefF, 3, 5)


def test_the_seed_goes_to_what_draws_at_random():
    assert make("simba", seed=7).random_state == 7
    assert make("simba", ["random_state=3"], seed=7).random_state == 3
    assert make("ensemble", ["base=simba"], seed=7).base.random_state == 7


@pytest.mark.parametrize("text", ["sigma", "=1", "sigma=", ""])
def test_settings_of_another_form_are_refused(text):
    with pytest.raises(ValueError, match="Write a setting as name=value"):
        make("lofe", [text])


def test_unknown_parameters_are_answered_with_the_closest():
    with pytest.raises(ValueError, match="lofe has no parameter 'sigmb'; did you mean 'sigma'"):
        make("lofe", ["sigmb=1"])
    with pytest.raises(ValueError, match="lofe has no parameter 'base'; it has alpha"):
        make("lofe", ["base=relieff"])


@given(st.one_of(st.integers(), st.floats(allow_nan=False), st.booleans(), st.none()))
def test_values_come_back_from_their_text(value):
    assert value_of(str(value)) == value


@given(st.text())
def test_any_text_is_a_plain_value(text):
    assert isinstance(value_of(text), int | float | str | None)


def test_text_is_never_evaluated():
    assert value_of("__import__('os').getcwd()") == "__import__('os').getcwd()"


@pytest.mark.parametrize("name", ["surfstar", "multisurfstar"])
def test_a_word_of_caution_about_the_starred_methods(name):
    assert methods()[name].summary.endswith("for interactions, can miss main effects.")
