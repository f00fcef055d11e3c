import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from hitmiss import LOFE, FDRSelector, ReliefF, datasets
from hitmiss.inference import attribution, decoy_test, permutation_test, subsample_test
from hitmiss.inference.q_values import attributed


def twonorm():
    return datasets.make_twonorm(100, n_irrelevant=40, random_state=0, return_X_y=True)


def test_it_is_the_permutation_test():
    X, y = twonorm()
    selector = FDRSelector(ReliefF(), 0.2, random_state=4).fit(X, y)
    test = permutation_test(ReliefF(), X, y, random_state=4)
    np.testing.assert_array_equal(selector.q_values_, test.q_values)
    np.testing.assert_array_equal(selector.p_values_, test.p_values)
    np.testing.assert_array_equal(selector.support_, test.q_values <= 0.2)
    assert selector.p_value_ == test.p_value
    np.testing.assert_array_equal(selector.base_.weights_, test.statistic)
    n = selector.support_.sum()
    np.testing.assert_array_equal(selector.ranking_[:n], test.selected(0.2))


def test_decoys_and_subsamples():
    X, y = twonorm()
    decoys = FDRSelector(ReliefF(), method="decoys", random_state=0).fit(X, y)
    expected = decoy_test(ReliefF(), X, y, random_state=0)
    np.testing.assert_array_equal(decoys.q_values_, expected.q_values)
    halves = FDRSelector(ReliefF(), 0.2, method="subsamples", n_pairs=5, random_state=0).fit(X, y)
    found = subsample_test(ReliefF(), X, y, n_pairs=5, random_state=0)
    np.testing.assert_array_equal(halves.q_values_, found.q_values)
    np.testing.assert_array_equal(halves.frequency_, found.frequency)


@pytest.mark.parametrize("method", ["permutation", "decoys", "subsamples"])
def test_noise_selects_nothing_and_says_so(method):
    X, y = np.random.default_rng(0).normal(size=(60, 50)), np.arange(60) % 2
    selector = FDRSelector(ReliefF(), method=method, random_state=0)
    with pytest.warns(UserWarning, match=r"No feature has a q-value of at most 0.1, so none"):
        selector.fit(X, y)
    with pytest.warns(UserWarning, match="No features were selected"):
        assert selector.transform(X).shape == (60, 0)


def test_in_a_grid_search_over_the_rate():
    X, y = twonorm()
    pipeline = make_pipeline(FDRSelector(ReliefF(), random_state=0), KNeighborsClassifier(3))
    search = GridSearchCV(pipeline, {"fdrselector__fdr": [0.1, 0.3]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.8
    assert search.best_params_["fdrselector__fdr"] in (0.1, 0.3)


def test_names_come_from_the_frame():
    X, y = twonorm()
    frame = pd.DataFrame(X).add_prefix("gene")
    selector = FDRSelector(ReliefF(), random_state=0).fit(frame, y)
    names = [f"gene{j}" for j in selector.get_support(indices=True)]
    assert selector.get_feature_names_out().tolist() == names
    assert selector.base_.feature_names_in_[0] == "gene0"


@pytest.mark.full
def test_a_memory_map_is_tested_where_it_is(tmp_path):
    X, y = twonorm()
    np.save(tmp_path / "X.npy", X)
    stored = np.load(tmp_path / "X.npy", mmap_mode="r")
    selector = FDRSelector(LOFE(memory="1GB"), n_permutations=9, random_state=0)
    q = selector.fit(stored, y).q_values_
    np.testing.assert_array_equal(q, selector.set_params(base=LOFE()).fit(X, y).q_values_)
    with pytest.raises(ValueError, match="needs X as an array in memory"):
        FDRSelector(LOFE(memory="1GB"), method="decoys").fit(stored, y)


def test_any_estimator_may_be_the_base():
    X, y = twonorm()
    selector = FDRSelector(LogisticRegression(C=0.01), random_state=0).fit(X, y)
    assert selector.support_[:20].sum() >= 3


def test_groups_reach_the_test():
    X, y = twonorm()
    groups = np.arange(100) // 2
    with pytest.raises(ValueError, match="groups has 1 value for 100 samples"):
        FDRSelector(ReliefF()).fit(X, y, groups=[1])
    y = np.random.default_rng(0).integers(0, 2, 50)[groups]
    X[:, 0] += 3 * y
    one = FDRSelector(ReliefF(), random_state=0).fit(X, y, groups=groups).q_values_
    expected = permutation_test(ReliefF(), X, y, groups=groups, random_state=0).q_values
    np.testing.assert_array_equal(one, expected)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"fdr": 0.0}, "fdr must be a positive number"),
        ({"fdr": 1.0}, "fdr must be a share below 1"),
        ({"fdr": 0.01}, "fdr=0.01 cannot be reached with 20 permutations; use 99 or more"),
        ({"method": "bootstrap"}, "method must be one of"),
        ({"base": "lofe"}, "base must be an estimator"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(ValueError, match=message):
        FDRSelector(**parameters).fit(*twonorm())


def test_other_methods_take_no_groups():
    with pytest.raises(ValueError, match="method='decoys' takes no strata"):
        FDRSelector(ReliefF(), method="decoys").fit(*twonorm(), strata=np.arange(100) % 2)


@pytest.mark.full
def test_a_tuned_base_is_tested():
    X, y = datasets.make_xor(60, n_irrelevant=8, random_state=0, return_X_y=True)
    found = FDRSelector(LOFE("auto", "auto"), n_permutations=9, random_state=0).fit(X, y)
    assert found.get_support(indices=True).tolist() == [0, 1]


def test_attributable_discoveries_are_those_that_others_cannot_replace():
    X = np.random.default_rng(0).normal(size=(100, 20))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    X[:, 2] += X[:, 0] + X[:, 1]
    selector = FDRSelector(LOFE(), n_permutations=9, random_state=0, attributable=True).fit(X, y)
    plain = FDRSelector(LOFE(), n_permutations=9, random_state=0).fit(X, y)
    np.testing.assert_array_equal(selector.association_, plain.q_values_)
    assert plain.get_support(indices=True).tolist() == [0, 1, 2]
    assert selector.get_support(indices=True).tolist() == [0, 1]
    found = np.flatnonzero(plain.q_values_ < 1)
    shares = attribution(plain.base_, X, y, found, random_state=0)
    np.testing.assert_array_equal(selector.attribution_[found], shares)
    np.testing.assert_array_equal(
        selector.q_values_, attributed(plain.q_values_, selector.attribution_)
    )


def test_only_the_places_of_lofe_can_be_shared():
    X, y = twonorm()
    with pytest.raises(ValueError, match="attributable=True needs a LOFE as base"):
        FDRSelector(ReliefF(), attributable=True).fit(X, y)
