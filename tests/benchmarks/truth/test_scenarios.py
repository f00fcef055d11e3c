"""Scenarios have the properties that they claim."""

import numpy as np
import pytest

from benchmarks.truth import synthetic as made
from benchmarks.truth.scenarios import QUICK, SYNTHETIC, drawn, table

N, P = 4_000, 40


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize("name", SYNTHETIC)
def test_draws_have_their_size_and_repeat(name):
    scenario = table(quick=True)[name]
    first, again, other = (drawn(name, scenario, k) for k in (0, 0, 1))
    assert first.X.shape == (QUICK["n"], QUICK["p"])
    assert set(first.y) == {0, 1}
    np.testing.assert_array_equal(first.X, again.X)
    np.testing.assert_array_equal(first.y, again.y)
    assert not np.array_equal(first.X, other.X)
    assert (len(first.relevant) > 0) == (scenario.kind == "signal")


def test_toeplitz_correlations_halve_with_the_distance(rng):
    C = np.corrcoef(made.toeplitz(rng, N, P), rowvar=False)
    for distance in (1, 2, 3):
        assert np.diag(C, distance).mean() == pytest.approx(0.5**distance, abs=0.02)
    assert np.diag(C).min() == pytest.approx(1)


def test_blocks_correlate_within_and_not_between(rng):
    C = np.corrcoef(made.blocks(rng, N, P), rowvar=False)
    same = np.equal.outer(np.arange(P) // made.BLOCK, np.arange(P) // made.BLOCK)
    assert C[same & ~np.eye(P, dtype=bool)].mean() == pytest.approx(0.8, abs=0.02)
    assert np.abs(C[~same]).max() < 0.1


def test_kin_of_a_relevant_feature_is_its_block(rng):
    draw = made.sum_of_five(made.blocks)(rng, 500, 100)
    kin = made.kin_of(draw)
    blocks = draw.relevant // made.BLOCK
    assert len(set(blocks)) == 5
    np.testing.assert_array_equal(kin, np.equal.outer(np.arange(100) // made.BLOCK, blocks))


def test_constant_features_are_kin_of_nobody():
    X = np.column_stack([np.arange(6.0), np.ones(6), -np.arange(6.0)])
    kin = made.kin_of(made.Draw(X, np.arange(6) % 2, np.array([0])))
    assert kin.ravel().tolist() == [True, False, True]


def test_heavy_tails_and_genotypes(rng):
    assert np.abs(made.heavy_tailed(rng, N, P)).max() > 20
    G = made.genotypes(rng, N, P)
    assert set(np.unique(G)) == {0, 1, 2}
    assert 0.03 < G.mean(axis=0).min() / 2 < G.mean(axis=0).max() / 2 < 0.53


def test_nulls_have_the_share_of_classes_that_they_claim(rng):
    assert made.null(made.normal, share=0.1)(rng, 200, 5).y.mean() == 0.1
    assert made.null(made.normal)(rng, 200, 5).y.mean() == 0.5


def test_sum_of_five_makes_exactly_those_informative(rng):
    draw = made.sum_of_five(made.normal)(rng, N, P)
    effect = np.abs(draw.X[draw.y == 1].mean(axis=0) - draw.X[draw.y == 0].mean(axis=0))
    assert sorted(np.argsort(effect)[-5:]) == draw.relevant.tolist()


def test_xor_is_in_the_pair_and_in_no_single_feature(rng):
    draw = made.xor(rng, N, P)
    single = [abs(np.corrcoef(draw.X[:, j], draw.y)[0, 1]) for j in draw.relevant]
    assert max(single) < 0.05
    same_sign = draw.X[:, draw.relevant].prod(axis=1) > 0
    np.testing.assert_array_equal(same_sign, draw.y == 1)


@pytest.mark.parametrize(("make", "n", "bits"), [(made.parity, 400, 3), (made.spiral, 460, 2)])
def test_features_of_the_library_are_shuffled_with_their_truth(rng, make, n, bits):
    draw = make(rng, n, 60)
    assert len(draw.relevant) == bits
    assert draw.relevant.tolist() != list(range(bits))
    wild = np.abs(draw.X).std(axis=0) < 0.5 if bits == 3 else np.abs(draw.X).std(axis=0) > 0.7
    assert np.flatnonzero(wild).tolist() == draw.relevant.tolist()


def test_donors_share_label_and_level(rng):
    draw = made.donors(rng, 120, 200)
    assert np.bincount(draw.groups).tolist() == [made.CELLS] * 12
    means = np.array([draw.X[draw.groups == g].mean(axis=0) for g in range(12)])
    assert means.var(axis=0, ddof=1).mean() == pytest.approx(1.1, abs=0.1)
    labels = [set(draw.y[draw.groups == g]) for g in range(12)]
    assert all(len(label) == 1 for label in labels)
    assert draw.y.mean() == 0.5


def test_donors_ignored_are_the_same_data_without_groups():
    known, ignored = (drawn(name, SYNTHETIC[name], 3) for name in ("donors", "donors ignored"))
    np.testing.assert_array_equal(known.X, ignored.X)
    np.testing.assert_array_equal(known.y, ignored.y)
    assert ignored.groups is None
