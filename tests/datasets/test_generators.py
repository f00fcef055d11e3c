import inspect

import numpy as np
import pytest
from scipy.stats import norm

from hitmiss import datasets
from hitmiss.datasets import (
    make_additive,
    make_clusters,
    make_friedman,
    make_parity,
    make_product,
    make_ring,
    make_ringnorm,
    make_spiral,
    make_survival,
    make_twonorm,
    make_waveform,
    make_xor,
)

# generator -> number of features, relevant features, classes
GENERATORS = {
    make_clusters: (2, [0, 1], 3),
    make_parity: (3, [0, 1, 2], 2),
    make_ringnorm: (20, list(range(20)), 2),
    make_spiral: (2, [0, 1], 2),
    make_twonorm: (20, list(range(20)), 2),
    make_waveform: (21, list(range(1, 20)), 2),
    make_xor: (2, [0, 1], 2),
}
# Their tests are those of hitmiss.datasets.responses.
RESPONSES = {make_additive, make_friedman, make_product, make_ring, make_survival}
each_generator = pytest.mark.parametrize("make", GENERATORS, ids=lambda make: make.__name__)


def test_every_public_generator_is_tested():
    public = {getattr(datasets, name) for name in datasets.__all__ if name.startswith("make_")}
    assert public == set(GENERATORS) | RESPONSES


@each_generator
def test_bunch_says_what_it_holds(make):
    n_features, relevant, n_classes = GENERATORS[make]
    bunch = make(60, n_irrelevant=5, random_state=0)
    assert bunch.data.shape == (60, n_features + 5)
    assert bunch.data.dtype == np.float64
    assert bunch.relevant.tolist() == relevant
    assert np.unique(bunch.target).tolist() == list(range(n_classes))
    assert bunch.feature_names[:n_features] == [f"x{j}" for j in range(n_features)]
    assert bunch.feature_names[n_features:] == [f"irrelevant{j}" for j in range(5)]
    assert bunch.DESCR.endswith("With 5 irrelevant features (normal).")


@each_generator
def test_classes_are_balanced_in_every_prefix(make):
    n_classes = GENERATORS[make][2]
    _, y = make(61, random_state=0, return_X_y=True)
    for n in range(1, 62):
        counts = np.bincount(y[:n], minlength=n_classes)
        assert counts.max() - counts.min() <= 1


@each_generator
def test_random_state_decides_everything(make):
    X, y = make(40, n_irrelevant=3, random_state=7, return_X_y=True)
    again = make(40, n_irrelevant=3, random_state=7)
    other = make(40, n_irrelevant=3, random_state=8)
    np.testing.assert_array_equal(X, again.data)
    np.testing.assert_array_equal(y, again.target)
    assert not np.array_equal(X, other.data)


@each_generator
def test_irrelevant_features_change_nothing_else(make):
    alone = make(40, random_state=3)
    crowded = make(40, n_irrelevant=50, random_state=3)
    n_features = alone.data.shape[1]
    np.testing.assert_array_equal(alone.data, crowded.data[:, :n_features])
    np.testing.assert_array_equal(alone.target, crowded.target)


@each_generator
def test_float32_is_the_same_data(make):
    double = make(40, random_state=3).data
    single = make(40, random_state=3, dtype=np.float32).data
    assert single.dtype == np.float32
    np.testing.assert_array_equal(double.astype(np.float32), single)


@each_generator
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"n_samples": 1}, "n_samples must be a whole number of at least .; got 1"),
        ({"n_samples": 9.5}, "n_samples must be a whole number of at least .; got 9.5"),
        ({"n_irrelevant": -1}, "must be a whole number of at least 0; got -1"),
        ({"dtype": "int64"}, "dtype must be float32 or float64; got 'int64'"),
        ({"dtype": "flout"}, "dtype must be float32 or float64; got 'flout'"),
        ({"random_state": -1}, "random_state must be a non-negative integer"),
        ({"random_state": "0"}, "random_state must be a non-negative integer"),
        ({"noise": -0.1}, "noise must be a finite number of at least 0; got -0.1"),
        ({"noise": np.nan}, "noise must be a finite number of at least 0; got nan"),
        ({"noise": "low"}, "noise must be a finite number of at least 0; got 'low'"),
    ],
)
def test_bad_input_gets_one_sentence(make, arguments, sentence):
    if not arguments.keys() <= inspect.signature(make).parameters.keys():
        return  # this generator has no noise to set
    with pytest.raises(ValueError, match=sentence) as caught:
        make(**arguments)
    assert str(caught.value).count(". ") == 0


def test_spiral_by_hand():
    X, y = make_spiral(4, return_X_y=True)
    start = np.sqrt(0.5) * np.array([np.cos(0.5), np.sin(0.5)])
    end = np.array([-np.sqrt(3 * np.pi), 0.0])
    np.testing.assert_allclose(X, [start, -start, end, -end], atol=1e-12)
    assert y.tolist() == [0, 1, 0, 1]


def test_spiral_is_that_of_the_experiments():
    X, y = make_spiral(return_X_y=True)
    t = np.linspace(0.5, 3 * np.pi, 230)
    arm = np.sqrt(t)[:, None] * np.column_stack([np.cos(t), np.sin(t)])
    np.testing.assert_allclose(X[y == 0], arm)
    np.testing.assert_allclose(X[y == 1], -arm)


def test_spiral_noise_has_the_given_deviation():
    clean = make_spiral(5000).data
    noisy = make_spiral(5000, noise=0.2, random_state=0).data
    assert (noisy - clean).std() == pytest.approx(0.2, rel=0.03)


def test_odd_numbers_of_samples_are_kept():
    for make in GENERATORS:
        assert make(7, random_state=0).data.shape[0] == 7


def error_within_four_deviations(wrong, expected):
    return abs(wrong.mean() - expected) < 4 * np.sqrt(expected * (1 - expected) / len(wrong))


def test_twonorm_has_its_bayes_error():
    X, y = make_twonorm(50_000, random_state=0, return_X_y=True)
    assert error_within_four_deviations((X.sum(axis=1) < 0) != y, norm.cdf(-2))


def test_ringnorm_has_its_bayes_error():
    X, y = make_ringnorm(50_000, random_state=0, return_X_y=True)
    log_wide = -0.5 * (X**2).sum(axis=1) / 4 - 20 * np.log(2)
    log_narrow = -0.5 * ((X - 2 / np.sqrt(20)) ** 2).sum(axis=1)
    error = ((log_narrow > log_wide) != y).mean()
    assert error == pytest.approx(0.013, abs=0.002)  # 1.3 % in Breiman's report


def test_waveform_means_are_the_triangles():
    X, y = make_waveform(40_000, random_state=0, return_X_y=True)
    h1 = np.interp(np.arange(1, 22), [5, 11, 17], [0, 6, 0])
    h2 = np.interp(np.arange(1, 22), [9, 15, 21], [0, 6, 0])
    h3 = np.interp(np.arange(1, 22), [1, 7, 13], [0, 6, 0])
    # u is 1/2 on average; a mean of 20,000 with deviation below 2 is off by less than 0.07.
    np.testing.assert_allclose(X[y == 0].mean(axis=0), (h1 + h2) / 2, atol=0.07)
    np.testing.assert_allclose(X[y == 1].mean(axis=0), (h1 + h3) / 2, atol=0.07)
    # Variance: 1/12 of the squared difference of the triangles, plus the unit noise.
    np.testing.assert_allclose(X[y == 0].var(axis=0), (h1 - h2) ** 2 / 12 + 1, rtol=0.06)
    np.testing.assert_allclose(X[y == 1].var(axis=0), (h1 - h3) ** 2 / 12 + 1, rtol=0.06)


def test_clusters_need_both_features():
    X, y = make_clusters(3000, noise=0.3, random_state=0, return_X_y=True)
    centers = make_clusters(3, noise=0).data
    distances = ((X[:, None] - centers) ** 2).sum(axis=2)
    assert (distances.argmin(axis=1) != y).mean() < 0.01
    for feature in range(2):
        gaps = np.abs(X[:, feature, None] - centers[:, feature])
        assert (gaps.argmin(axis=1) != y).mean() > 0.05


@pytest.mark.parametrize(("name", "make"), [("twonorm", make_twonorm), ("ringnorm", make_ringnorm)])
def test_generator_agrees_with_the_published_sample(data_home, name, make):
    with np.load(data_home / f"ida_{name}.npz", allow_pickle=False) as file:
        published, labels = file["X"].astype(float), file["y"]
    ours, y = make(20_000, random_state=0, return_X_y=True)
    # The published sample is standardized per feature, and does not say which class is which.
    published, ours = ((X - X.mean(axis=0)) / X.std(axis=0) for X in (published, ours))

    def moments(X, y, a, b):
        parts = [X[y == a], X[y == b]]
        return np.array([[part.mean(), part.var()] for part in parts])

    theirs = [moments(published, labels, *order) for order in ((-1, 1), (1, -1))]
    gaps = [np.abs(moments(ours, y, 0, 1) - order).max() for order in theirs]
    assert min(gaps) < 0.02
