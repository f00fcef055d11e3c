import numpy as np
import pytest

from hitmiss import FisherScore, RReliefF
from hitmiss.inference import Evidence, permutation_test, verdict_on
from hitmiss.report import render, summarize

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(20, 4)), np.arange(20) % 2
NOTHING = Evidence(4, 2, p_value=0.7, n_permutations=20, n_requested=20)
REAL = NOTHING._replace(p_value=0.05, n_significant=1)
DOUBTFUL = NOTHING._replace(p_value=0.05)
UNTESTED = Evidence(4, 2)


def report(evidence):
    fitted = FisherScore(max_features=2).fit(X, Y)
    return render(summarize(fitted, X, Y, verdict=verdict_on(evidence)))


@pytest.mark.parametrize(
    ("evidence", "level", "words"),
    [
        (REAL, "real", '<h2>Something is there</h2><p class="lead">2 features; permutation p'),
        (DOUBTFUL, "doubtful", '<h2>Doubtful</h2><p class="lead">2 features; permutation p'),
        (NOTHING, "nothing", '<h2>Nothing here</h2><p class="lead">Permutation p 0.7; none of'),
        (UNTESTED, "untested", '<h2>Not tested</h2><p class="lead">2 features, not tested.'),
    ],
)
def test_the_verdict_comes_first_in_words_and_in_color(evidence, level, words):
    html = report(evidence)
    assert f'</h1><section class="verdict {level}">{words}' in html
    assert html.index(words) < html.index("What was asked") < html.index("Certificate")


def test_the_verdict_on_numbers_speaks_of_numbers():
    fitted = RReliefF().fit(X, X[:, 0])
    html = render(summarize(fitted, X, X[:, 0], verdict=verdict_on(REAL)))
    assert "With permuted numbers the method does not find as much." in html
    assert "With permuted labels the method does not find as much." in report(REAL)


def test_where_nothing_is_there_the_list_is_hidden():
    html = report(NOTHING)
    assert html.count("<details>") == html.count("</details>") == 3
    for text in ("Show the list anyway", "Show the figures", "Show the table of features"):
        assert f"<details><summary>{text}</summary>" in html
    assert "<details>" not in report(DOUBTFUL)
    assert "<details>" not in report(UNTESTED)


def test_without_a_verdict_there_is_no_banner():
    html = render(summarize(FisherScore().fit(X, Y), X, Y))
    assert 'class="verdict' not in html
    assert "Permutation test" not in html


def test_a_test_has_a_card_and_a_column():
    test = permutation_test(FisherScore(), X, Y, n_permutations=9, random_state=0)
    summary = summarize(FisherScore().fit(X, Y), X, Y, test=test)
    columns = {column["label"]: column["values"] for column in summary["table"]["columns"]}
    ranking = [int(name[1:]) for name in columns["Feature"]]
    assert columns["q-value"] == pytest.approx(test.q_values[ranking], rel=1e-2)
    assert f'<p class="value">p = {test.p_value:.2g}</p>' in render(summary)
    assert "with 9 permutations the smallest possible p-value is 0.1." in render(summary)
