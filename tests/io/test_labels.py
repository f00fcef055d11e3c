import pytest


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        (["0", "1"], [0, 1]),
        (["10.0", "-2.0"], [10, -2]),
        (["1.5", "2.0"], [1.5, 2.0]),
        (["1.5", "2", "-.5"], [1.5, 2.0, -0.5]),
        (["1.5", "02"], ["1.5", "02"]),
        (["1e5", "2"], ["1e5", "2"]),
        (["007", "7"], ["007", "7"]),
        (["1", "b"], ["1", "b"]),
        (["True", "False"], ["True", "False"]),
        ([" x ", "x"], ["x", "x"]),
    ],
)
def test_labels_are_numbers_only_where_all_are(table_of, cells, labels):
    y = table_of("a,kind\n" + "".join(f"1,{cell}\n" for cell in cells), "kind").y
    assert y.tolist() == labels
    assert [type(label) for label in y.tolist()] == [type(label) for label in labels]


def test_the_words_that_mean_no_label_are_kept(table_of):
    table = table_of("a,kind\n1,None\n2,x\n3,NA\n4,\n5,None\n", "kind")
    assert table.missing_labels == ("None", "NA")
    assert table_of("a,kind\n1,\n2,x\n", "kind").missing_labels == ()
