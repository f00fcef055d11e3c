import json

import pytest

NASTY = "\x1b[31mred\x9b2J\u202e"


@pytest.fixture
def nasty_csv(xor, write_csv):
    """A table whose first feature, which is relevant, has a name that a terminal would obey."""
    names = [NASTY, *xor.feature_names[1:]]
    data = [[label, *x] for label, x in zip(xor.target, xor.data.tolist(), strict=True)]
    return write_csv([["kind", *names], *data])


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_control_characters_do_not_reach_the_terminal(hitmiss, nasty_csv, options):
    result = hitmiss("select", "--quick", nasty_csv, "-t", "kind", *options)
    assert "[31mred" in result.stdout
    assert not {"\x1b", "\x9b", "\u202e"} & set(result.stdout + result.stderr)


def test_json_keeps_the_name_as_it_is(hitmiss, nasty_csv):
    result = hitmiss("select", "--quick", nasty_csv, "-t", "kind", "--json")
    assert NASTY in [row["feature"] for row in json.loads(result.stdout)["selected"]]
