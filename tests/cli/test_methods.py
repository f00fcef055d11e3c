import json

import pytest

from hitmiss.registry import methods


def test_methods(hitmiss):
    shown = hitmiss("methods").stdout
    assert all(f" {name} " in shown for name in methods())
    assert [m["name"] for m in json.loads(hitmiss("methods", "--json").stdout)] == list(methods())
    one = hitmiss("methods", "I-Relief")
    assert "sigma" in one.stdout
    assert "Kernel width" in one.stdout
    found = json.loads(hitmiss("methods", "lofe", "--json").stdout)
    assert found["parameters"]["sigma"] == 2.0
    assert found["meanings"]["n_jobs"] == (
        "Number of threads; None means all cores. The result does not depend on it."
    )


@pytest.mark.parametrize("name", list(methods()))
def test_every_parameter_has_a_meaning(hitmiss, name):
    found = json.loads(hitmiss("methods", name, "--json").stdout)
    assert found["meanings"].keys() == found["parameters"].keys()
    assert all(len(text) > 3 and "`" not in text for text in found["meanings"].values())
