import numpy as np
import pytest
from scipy.stats import ttest_rel
from sklearn.exceptions import ConvergenceWarning

from hitmiss import IRelief, ReliefF, RIRelief, datasets
from hitmiss._util.workers import Workers
from hitmiss.metrics import recovery_auc
from hitmiss.neighbors import soft_neighbors, trust
from hitmiss.targets.classes import Classes
from hitmiss.weighting.irelief import positive_unit
from tests import reference as ref
from tests import relief_reference as relief

MAKERS = {
    "twonorm": datasets.make_twonorm,
    "waveform": datasets.make_waveform,
    "ringnorm": datasets.make_ringnorm,
}


def noisy(name, seed=0, **parameters):
    return MAKERS[name](n_irrelevant=50, random_state=seed, **parameters)


def test_four_points_by_hand():
    # sigma = inf: P is uniform, of the three others one is a hit, so gamma = 1/3 for all.
    X, y = np.array([[0.0, 0], [1, 4], [8, 1], [9, 3]]), [0, 0, 1, 1]
    found = IRelief(np.inf, scale=None).fit(X, y)
    np.testing.assert_allclose(found.scores_, np.array([7, -1]) / 3)
    np.testing.assert_array_equal(found.weights_, [1, 0])
    plain = IRelief(np.inf, scale=None, outliers=False).fit(X, y)
    np.testing.assert_allclose(plain.scores_, [7, -1])


@pytest.mark.parametrize("sizes", [(1, 1), (1, 2, 3)])
@pytest.mark.parametrize("outliers", [True, False])
@pytest.mark.parametrize("multiclass", ["pooled", "per-class"])
def test_against_the_definition(sizes, outliers, multiclass):
    X, y = relief.gaussian_classes(30, sizes=sizes)
    how = {"outliers": outliers, "by_class": multiclass == "per-class"}
    w = np.full(8, 1 / 8)
    for _ in range(3):
        nu = relief.irelief_margin(X, y, w, 0.5, **how)
        w = relief.positive_unit(nu)
    with pytest.warns(ConvergenceWarning, match="3 iterations"):
        found = IRelief(0.5, multiclass=multiclass, outliers=outliers, max_iter=3, tol=1e-12).fit(
            X, y
        )
    np.testing.assert_allclose(found.weights_, w, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(found.scores_, nu, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", MAKERS)
def test_an_infinite_kernel_converges_in_one_step(name):
    data = noisy(name)
    for sigma in (np.inf, 1e9):
        found = IRelief(sigma).fit(data.data, data.target)
        assert found.n_iter_ == 2  # one step, and one to see that nothing moves
        assert found.history_[1]["step"] < 1e-9
    assert found.converged_


def test_a_narrow_kernel_without_outliers_is_iterated_relief():
    X, y = relief.gaussian_classes(60)
    w = np.full(8, 1 / 8)
    for n_iter in range(1, 6):
        D = ref.distances(X, w)
        Z = []
        for n in range(len(y)):
            i = relief.others(n, len(y))
            hits, misses = i[y[i] == y[n]], i[y[i] != y[n]]
            hit, miss = (g[D[n, g].argmin()] for g in (hits, misses))
            Z.append(np.abs(X[n] - X[miss]) - np.abs(X[n] - X[hit]))
        w = relief.positive_unit(np.mean(Z, axis=0))
        with pytest.warns(ConvergenceWarning):
            found = IRelief(1e-7, outliers=False, max_iter=n_iter, tol=1e-12).fit(X, y)
        np.testing.assert_allclose(found.weights_, w, atol=1e-6)


def test_two_classes_are_the_same_pooled_or_not():
    data = noisy("waveform")
    pooled, apart = (
        IRelief(multiclass=m).fit(data.data, data.target).weights_ for m in ("pooled", "per-class")
    )
    np.testing.assert_allclose(pooled, apart, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("sigma", [0.5, 2.0])
def test_any_start_leads_to_the_same_weights(name, sigma):
    data = noisy(name, n_samples=200)
    rng = np.random.default_rng(0)
    n_features = data.data.shape[1]
    starts = [None, rng.random(n_features), rng.random(n_features) ** 16, np.eye(n_features)[60]]
    found = [IRelief(sigma, init=w, tol=1e-7).fit(data.data, data.target) for w in starts]
    for fitted in found[1:]:
        assert fitted.converged_
        np.testing.assert_allclose(fitted.weights_, found[0].weights_, atol=1e-6)


def test_it_converges_faster_the_wider_the_kernel_and_not_at_all_when_narrow():
    """Fig. 11a: waveform diverges for sigma = 0.05 and converges in all other cases."""
    data = noisy("waveform")
    with pytest.warns(ConvergenceWarning, match=r"100 iterations.*increase sigma"):
        narrow = IRelief(0.05).fit(data.data, data.target)
    assert not narrow.converged_
    assert min(row["step"] for row in narrow.history_) > 0.1
    found = [IRelief(sigma).fit(data.data, data.target) for sigma in (0.1, 0.2, 0.5, 1, 5)]
    assert all(fitted.converged_ for fitted in found)
    n_iter = [fitted.n_iter_ for fitted in found]
    assert n_iter == sorted(n_iter, reverse=True)
    assert n_iter[0] > 2 * n_iter[-1]


@pytest.mark.parametrize("name", MAKERS)
def test_wrong_labels_hurt_it_less_than_relieff(name):
    """Fig. 6 with 10 % of the labels flipped: AUC of telling the relevant features."""
    auc = {"ReliefF": [], "IRelief": []}
    for seed in range(20):
        data = noisy(name, seed)
        flipped = np.random.default_rng(seed).choice(400, 40, replace=False)
        y = data.target.copy()
        y[flipped] = 1 - y[flipped]
        for method in (ReliefF(), IRelief()):
            weights = method.fit(data.data, y).weights_
            auc[type(method).__name__].append(recovery_auc(weights, data.relevant))
    test = ttest_rel(auc["IRelief"], auc["ReliefF"], alternative="greater")
    assert np.mean(auc["IRelief"]) > 0.99
    assert test.pvalue < 0.001


def test_mislabeled_samples_are_trusted_less():
    """Eq. 10, under the weights that were learned in spite of them."""
    data = noisy("twonorm")
    y = data.target.copy()
    y[:40] = 1 - y[:40]
    w = IRelief(0.2).fit(data.data, y).weights_
    D, workers = ref.distances(ref.range_scale(data.data), w), Workers(1)
    gamma = trust(D, soft_neighbors(D, Classes(y), 0.2, workers), 0.2)
    assert gamma[:40].mean() < 0.4 < 0.6 < gamma[40:].mean()


def test_pure_interactions_may_make_it_cycle():
    """The weights jump from one of two features to the other: each is of no use alone."""
    xor = datasets.make_xor(n_irrelevant=30, random_state=0)
    with pytest.warns(ConvergenceWarning, match="increase sigma"):
        assert IRelief().fit(xor.data, xor.target).history_[-1]["step"] > 1


def test_nothing_positive_is_zero_with_a_warning():
    X = np.repeat(np.arange(4.0), 2)[:, None]  # every sample has a miss with its own values
    with pytest.warns(UserWarning, match="All weights are zero.*sigma=1"):
        found = IRelief().fit(X, [0, 1] * 4)
    np.testing.assert_array_equal(found.weights_, [0])
    np.testing.assert_array_equal(found.get_support(), [False])


def test_the_ranking_goes_on_beyond_the_weights():
    data = noisy("twonorm", n_samples=100)
    found = IRelief().fit(data.data, data.target)
    zero = np.flatnonzero(found.weights_ == 0)
    assert len(zero) > 10
    np.testing.assert_array_equal(found.ranking_, np.argsort(-found.scores_))
    assert IRelief(max_features=60).fit(data.data, data.target).get_support().sum() == 60


def test_irrelevant_features_change_little():
    few, many = (
        IRelief(0.5).fit(*MAKERS["ringnorm"](n_irrelevant=n, random_state=0, return_X_y=True))
        for n in (0, 500)
    )
    cosine = few.weights_ @ positive_unit(many.weights_[:20])
    assert cosine > 0.99


@pytest.mark.parametrize("init", [np.ones(3), [1, 2, np.nan, 4], [1, 2, -1, 4], np.ones((4, 1))])
def test_a_start_must_hold_a_weight_per_feature(init):
    with pytest.raises(ValueError, match="init must hold 4 finite weights"):
        IRelief(init=init).fit(np.eye(6)[:, :4], [0, 1] * 3)


@pytest.mark.parametrize(
    "wrong", [{"sigma": 0}, {"sigma": np.nan}, {"multiclass": "both"}, {"max_iter": 0}, {"tol": -1}]
)
def test_parameters_are_checked(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        IRelief(**wrong).fit(np.eye(6), [0, 1] * 3)


RNG = np.random.default_rng(3)
X = ref.range_scale(RNG.random((40, 6)))
Y = (X[:, 0] + X[:, 1] * X[:, 2]).round(1)  # with ties


@pytest.mark.parametrize(("sigma", "tau"), [(0.7, 0.1), (2.0, 0.5)])
def test_the_margin_and_the_fixed_point_are_those_of_the_definition(sigma, tau):
    found = RIRelief(sigma, tau=tau, tol=1e-12, max_iter=500).fit(X, Y)
    nu = relief.numbers_irelief(X, Y, found.weights_, sigma, tau)
    np.testing.assert_allclose(found.scores_, nu, rtol=1e-6, atol=1e-10)
    positive = np.maximum(nu, 0)
    np.testing.assert_allclose(found.weights_, positive / np.linalg.norm(positive), atol=1e-6)


@pytest.mark.parametrize("outliers", [True, False])
@pytest.mark.parametrize("sigma", [1.0, "auto"])
def test_two_values_are_two_classes(sigma, outliers):
    y = (X[:, 0] > 0.4).astype(float)
    found = RIRelief(sigma, outliers=outliers).fit(X, y).weights_
    expected = IRelief(sigma, outliers=outliers).fit(X, y.astype(int)).weights_
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_a_ring_is_found_among_many():
    X, y = datasets.make_ring(200, n_irrelevant=100, random_state=0, return_X_y=True)
    assert set(RIRelief().fit(X, y).ranking_[:2]) == {0, 1}
