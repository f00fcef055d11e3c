"""How well a fit predicts new samples itself: the error of tuned and of default fits, stored."""

import time
import warnings

import numpy as np
from sklearn.metrics import balanced_accuracy_score

from benchmarks.quality.runner import REPEATS, store_each, tasks
from benchmarks.quality.sets import SETS

FOLDER = "own"  # beside the results of lists
COMPARED = ("lofe", "lofe-tuned")


def run(folder, names=SETS, repeats=REPEATS, until=np.inf, report=print):
    """Do what is not yet stored, until the clock says `until`.

    Parameters
    ----------
    folder, names, repeats, until, report
        As in `runner.run`.
    """
    store_each(folder / FOLDER, tasks(names, COMPARED, repeats), predicted, until, report)


def predicted(method, splits, seed):
    """The balanced error of the predictions of all splits, and the width that each fit has."""
    answers, sigmas, began = [], [], time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fits that do not converge
        for part in splits:
            model = method.make(seed).fit(part.X.astype(np.float32), part.y)
            answers.append(model.predict(part.X_test.astype(np.float32)))
            sigmas.append(model.sigma_)
    y = np.concatenate([part.y_test for part in splits])
    error = 1 - balanced_accuracy_score(y, np.concatenate(answers))
    seconds = round((time.process_time() - began) / len(splits), 4)
    return {"error": round(error, 6), "sigmas": sigmas, "seconds": seconds}
