import re

import pytest

from reproduce.experiments.lofe.table2_methods import WEIGHTED
from reproduce.harness.experiment import Key
from reproduce.pages.lofe import table2
from tests.reproduce.pages.lofe.table2_results import CASE, results


def test_without_a_run_no_number_is_printed():
    records = {Key(CASE, "svm_original", 0): {"test": [3.0]}}
    assert not re.search(r"\bnan\b", table2.body(records))


@pytest.mark.parametrize(("weighted", "named"), [(12.0, True), (34.4, False), (90.0, False)])
def test_the_weights_that_the_svm_lacks_are_named_where_they_help(weighted, named):
    records = results(4.9)
    for run in range(10):
        records[Key(CASE, WEIGHTED, run)] = {"own": weighted}
    text = table2.weights_sentence(records, [CASE])
    assert ("twonorm -22.5 ± 1.0, 12.0(0.0), " in text) == named
