import pytest


def test_a_name_that_stands_for_two_columns(table_of):
    text = "kind,a,b,a\nx,1,2,3\ny,4,5,6\n"
    with pytest.raises(ValueError, match="1 feature name occurs more than once"):
        table_of(text, "kind")
    for options in ({"features": ["a"]}, {"samples": "a"}, {"target": "a"}):
        with pytest.raises(ValueError, match="There are several columns 'a'"):
            table_of(text, **options)
    assert table_of(text, "kind", features=["b"]).X.tolist() == [[2], [5]]
    assert table_of(text, "kind", drop=["a"]).feature_names == ["b"]


@pytest.mark.parametrize("transpose", [False, True])
def test_columns_to_leave_out_may_be_separated_by_commas(table_of, transpose):
    rows = [["kind", "a", "b", "c", "d,e"], ["x", "1", "2", "3", "4"], ["y", "5", "6", "7", "8"]]
    if transpose:
        rows = [["name", "s1", "s2"], *(list(row) for row in zip(*rows, strict=True))]
    text = "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows) + "\n"
    read = {"target": "kind", "transpose": transpose}
    assert table_of(text, drop=["a, c"], **read).feature_names == ["b", "d,e"]
    assert table_of(text, drop=["d,e"], **read).feature_names == ["a", "b", "c"]  # a whole name
    with pytest.raises(ValueError, match=r"There is no (column|row) 'z'"):
        table_of(text, drop=["a,z"], **read)
