from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.io.unique_names import made_unique

NAMES = st.lists(st.sampled_from(["a", "b", "a_2", "a_3", "a_2_2", ""]), max_size=12)


@given(NAMES)
def test_names_are_unique_and_those_that_were_stay(names):
    found, count = made_unique(names), Counter(names)
    assert len(set(found)) == len(names)
    assert all(new == old for new, old in zip(found, names, strict=True) if count[old] == 1)
    assert all(found[names.index(name)] == name for name in set(names))
    assert made_unique(found) == found


def test_duplicates_are_an_error_that_names_the_option(table_of):
    text = "kind,a,a,a_2\nx,1,2,3\ny,4,5,6\n"
    with pytest.raises(
        ValueError, match=r"\('a'\); give .*, or number them with make_unique \(--mak"
    ):
        table_of(text, "kind")
    table = table_of(text, "kind", make_unique=True)
    assert table.feature_names == ["a", "a_3", "a_2"]
    assert table.X.tolist() == [[1, 2, 3], [4, 5, 6]]
    turned = "gene,s1,s2\na,1,2\na,3,4\nkind,x,y\n"
    table = table_of(turned, "kind", make_unique=True, transpose=True)
    assert (table.feature_names, table.X.tolist()) == (["a", "a_2"], [[1, 3], [2, 4]])
    (only,) = table_of(turned, make_unique=True, transpose=True, features=["a_2"]).X.T.tolist()
    assert only == [3, 4]
