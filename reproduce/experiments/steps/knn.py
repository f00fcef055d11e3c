"""Errors of the k-nearest-neighbor rule on growing sets of features, in one pass over them."""

import numpy as np

from hitmiss.kernels.jit import kernel


def growing_errors(split, n_neighbors, sizes):
    """Test errors of KNN with the first features of a split, for each number of them in sizes.

    The same as scikit-learn's, but the distances of a number of features are those of the
    number before plus a few more. Of equal distances the earlier sample is nearer, of equal
    votes the smaller label wins.

    Parameters
    ----------
    split : Split
        Training and test data, the features in their order.
    n_neighbors : int
        The number k of the rule.
    sizes : sequence of int
        Growing numbers of features.

    Returns
    -------
    ndarray of shape (len(sizes),)
        Shares of test samples classified wrong.
    """
    labels, codes = np.unique(np.concatenate([split.y_train, split.y_test]), return_inverse=True)
    n_train = len(split.y_train)
    wrong = np.zeros(len(sizes), np.int64)
    count_wrong(
        np.ascontiguousarray(split.X_train.T, dtype=float),
        codes[:n_train],
        np.ascontiguousarray(split.X_test, dtype=float),
        codes[n_train:],
        np.asarray(sizes, np.int64),
        np.empty(min(n_neighbors, n_train), np.int64),
        np.empty(len(labels), np.int64),
        wrong,
    )
    return wrong / len(split.y_test)


@kernel
def count_wrong(train, codes, test, truth, sizes, nearest, votes, wrong):
    """Add to ``wrong[s]`` the test samples that get the wrong label with ``sizes[s]`` features.

    `train` has a row per feature, `test` one per sample; `nearest` and `votes` are scratch.
    """
    squares = np.empty(len(codes))
    for i in range(len(test)):
        squares[:] = 0.0
        n_used = 0
        for s in range(len(sizes)):
            for j in range(n_used, sizes[s]):
                for n in range(len(squares)):
                    squares[n] += (train[j, n] - test[i, j]) ** 2
            n_used = sizes[s]
            wrong[s] += vote(squares, codes, nearest, votes) != truth[i]


@kernel
def vote(distances, codes, nearest, votes):
    """The most frequent code among the nearest samples, which are left in `nearest`."""
    n_found = 0
    for n in range(len(distances)):
        if n_found == len(nearest) and distances[n] >= distances[nearest[-1]]:
            continue
        n_found = min(n_found + 1, len(nearest))
        place = n_found - 1
        while place > 0 and distances[nearest[place - 1]] > distances[n]:
            nearest[place] = nearest[place - 1]
            place -= 1
        nearest[place] = n
    votes[:] = 0
    for n in nearest:
        votes[codes[n]] += 1
    return votes.argmax()
