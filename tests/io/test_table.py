import pytest


def test_a_name_that_stands_for_two_columns(table_of):
    text = "kind,a,b,a\nx,1,2,3\ny,4,5,6\n"
    with pytest.raises(ValueError, match="1 feature names occur more than once"):
        table_of(text, "kind")
    for options in ({"features": ["a"]}, {"samples": "a"}, {"target": "a"}):
        with pytest.raises(ValueError, match="There are several columns 'a'"):
            table_of(text, **options)
    assert table_of(text, "kind", features=["b"]).X.tolist() == [[2], [5]]
    assert table_of(text, "kind", drop=["a"]).feature_names == ["b"]
