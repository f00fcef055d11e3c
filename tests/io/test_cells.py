import re

import numpy as np
import pytest

NUMBER_LIKE = [
    "1,000",
    "1,234,567.5",
    "-1,5139",
    ",5",
    "1.000,5",
    "1'000",
    "12%",
    "1.5 %",
    "1,5e-3",
]


@pytest.mark.parametrize("cell", NUMBER_LIKE)
@pytest.mark.parametrize("header", ["", "dose", "id"])
def test_text_that_looks_like_a_number(table_of, cell, header):
    hint = "which is not a number; write numbers as 1000, 1.5 or 0.12, without thousands separators"
    with pytest.raises(ValueError, match=re.escape(f"Column 'b' holds {cell!r} in row 2, {hint}")):
        table_of(f'a;b;kind\n1;"{cell}";x\n', "kind", decimal=".")
    first = f'{header};a;kind\n"{cell}";1;x\n7;2;y\n'
    if header == "id":
        assert table_of(first, "kind").sample_names == [cell, "7"]
        return
    with pytest.raises(ValueError, match=re.escape(f"holds {cell!r} in row 2, {hint}")):
        table_of(first, "kind", decimal=".")
    named = table_of(first, "kind", samples=header or "column 1")
    assert named.sample_names == [cell, "7"]
    assert table_of(first, "kind", features=["a"]).sample_names == ["1", "2"]


def test_true_and_false_are_one_and_zero(table_of):
    text = "a,b,kind\nTRUE,1.5,x\nfalse,2,y\nTrue,3,x\nNA,4,y\n"
    x = table_of(text, "kind").X
    np.testing.assert_array_equal(x, [[1, 1.5], [0, 2], [1, 3], [np.nan, 4]])
    turned = "gene,s1,s2\na,TRUE,FALSE\nb,1,2\n"
    assert table_of(turned, transpose=True).X.tolist() == [[1, 1], [0, 2]]


@pytest.mark.parametrize("cell", ["", "NA", "nan", "N/A", "#N/A", "null", "None", "?", " na "])
def test_missing_values_are_nan(table_of, cell):
    assert np.isnan(table_of(f"a,b,kind\n1,{cell},x\n", "kind").X[0, 1])
    assert table_of(f"a,kind\n1,{cell}\n2,x\n", "kind").y.tolist() == ["", "x"]
