import json

import pytest

RANKS = "ranks the features and does not say where to stop"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-m", "relieff"], True),
        (["-m", "frel"], True),
        (["-m", "ensemble", "-s", "base=relieff", "-s", "n_estimators=2"], True),
        (["-m", "ensemble", "-s", "base=lofe", "-s", "n_estimators=2"], False),
        (["-m", "frel", "-s", "penalty=l1", "-s", "alpha=0.01"], False),
        (["-m", "relieff", "--top", "3"], False),
        (["-m", "relieff", "-s", "max_features=3"], False),
        (["-m", "relieff", "-s", "threshold=0.5"], False),
        (["-m", "relieff", "-q"], False),
        (["-m", "lofe"], False),
        (["-m", "fdrselector"], False),
    ],
)
def test_a_method_that_only_ranks_says_so(hitmiss, xor_csv, options, said):
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", *options)
    assert result.exit_code == 0
    assert (RANKS in result.stderr) is said


def test_the_best_of_a_ranking(hitmiss, xor_csv):
    options = ["-t", "kind", "-m", "relieff", "--top", "3", "--json"]
    found = json.loads(hitmiss("select", "--quick", xor_csv, *options).stdout)
    assert len(found["selected"]) == found["parameters"]["max_features"] == 3
    subsamples = ["--subsamples", "2"]
    shares = json.loads(hitmiss("stability", xor_csv, *options, *subsamples).stdout)["features"]
    assert sum(item["frequency"] for item in shares) == 3
    assert RANKS in hitmiss("stability", xor_csv, *options[:4], *subsamples).stderr
    several = ["-t", "kind", "--methods", "relieff,surf,lofe", "--folds", "2"]
    sentence = "relieff, surf rank the features and do not say where to stop"
    assert sentence in hitmiss("compare", xor_csv, *several).stderr
    assert "where to stop" not in hitmiss("compare", xor_csv, *several, "--top", "3").stderr
