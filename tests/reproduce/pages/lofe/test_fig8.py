import pytest

from reproduce.harness.experiment import Key
from reproduce.pages.lofe import fig8


def test_an_irrelevant_weight_makes_two_vectors_differ():
    def both(others):
        return {
            Key("heart", "original", 0): {"weights": [1.0, 0.5], "others": {}},
            Key("heart", "all", 0): {"weights": [1.0, 0.5], "others": others},
        }

    assert fig8.cosine(both({}), "heart") == pytest.approx(1)
    records = both({"7": 1.0, "9": 0.005})
    assert fig8.cosine(records, "heart") < 0.8
    assert fig8.cosine(records, "heart", only_original=True) == pytest.approx(1)
    assert fig8.n_selected(records, "heart") == 1
    assert "- heart, 58 samples: the largest irrelevant features have 1.00, 0.01" in (
        fig8.reasons(records)
    )
