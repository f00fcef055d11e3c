"""The judges of a list of features: classifiers, fitted on its first ones."""

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import balanced_accuracy_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

LENGTHS = (5, 10, 20, 50)  # of the lists
JUDGES = {
    "3-NN": lambda: make_pipeline(StandardScaler(), KNeighborsClassifier(3)),
    "SVM": lambda: make_pipeline(StandardScaler(), SVC(kernel="linear", class_weight="balanced")),
    "forest": lambda: RandomForestClassifier(
        100, class_weight="balanced", n_jobs=1, random_state=0
    ),
}


def predictions(ranking, part):
    """What the judges say of the test samples: (judge, length) -> classes."""
    return {
        (judge, length): _predicted(make(), part, ranking[:length])
        for judge, make in JUDGES.items()
        for length in LENGTHS
    }


def _predicted(model, part, index):
    """The classes of the test samples by some features; an empty list knows nothing."""
    if not len(index):
        return np.full(len(part.y_test), np.bincount(part.y).argmax())
    return model.fit(part.X[:, index], part.y).predict(part.X_test[:, index])


def balanced_errors(rankings, parts):
    """Errors of lists over all splits of a repeat, the mean over classes.

    Parameters
    ----------
    rankings : list of ndarray
        Best features of each split, best first.
    parts : list of Part
        The splits.

    Returns
    -------
    dict
        From a judge to its errors with each of the `LENGTHS`.
    """
    found = [predictions(*pair) for pair in zip(rankings, parts, strict=True)]
    y = np.concatenate([part.y_test for part in parts])
    return {
        judge: [
            round(1 - balanced_accuracy_score(y, np.concatenate([f[judge, k] for f in found])), 6)
            for k in LENGTHS
        ]
        for judge in JUDGES
    }
