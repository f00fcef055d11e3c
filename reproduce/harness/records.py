"""Fields of stored records, by case, method and run."""

import numpy as np


def cases_in(records, names):
    """Those of the names that there are records for, in their order."""
    there = {key.case for key in records}
    return [name for name in names if name in there]


def by_run(records, case, method):
    """Records of a method on one case, by run."""
    return [records[key] for key in sorted(key for key in records if key[:2] == (case, method))]


def values(records, case, method, field):
    """One field of the records of a method on one case, by run, where they have it."""
    return [record[field] for record in by_run(records, case, method) if field in record]


def best_on_test(records, case, method):
    """Test error of every run with the best number of features on the test data."""
    return [min(errors) for errors in values(records, case, method, "test")]


def chosen_on_training(records, case, method):
    """Test error of every run with the number of features chosen on the training data."""
    return [
        record["test"][int(np.argmin(record["nested"]))]
        for record in by_run(records, case, method)
        if "nested" in record
    ]
