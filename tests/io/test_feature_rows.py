"""Features in rows, with annotations between their names and their values."""

import numpy as np
import pytest

TEXT = """gene,symbol,chr,s1,s2,s3
kind,,,ill,well,ill
batch,,,1,1,2
g1,TP53,17,1,2,3
g2,BRCA1,13,4,5,6
"""


def test_annotations_are_left_out_by_their_headers(table_of):
    table = table_of(TEXT, "kind", transpose=True, drop=["symbol,chr"], aside=["batch"])
    np.testing.assert_array_equal(table.X, [[1, 4], [2, 5], [3, 6]])
    assert (table.feature_names, table.sample_names) == (["g1", "g2"], ["s1", "s2", "s3"])
    assert table.y.tolist() == ["ill", "well", "ill"]
    assert table.aside == {"batch": ["1", "1", "2"]}


def test_rows_and_columns_are_dropped_alike(table_of):
    table = table_of(TEXT, "kind", transpose=True, drop=["symbol", "chr", "batch", "g1"])
    assert table.feature_names == ["g2"]
    with pytest.raises(ValueError, match="There is no row 'g9'; there are 'batch', 'g1'"):
        table_of(TEXT, "kind", transpose=True, drop=["symbol,chr,g9"])


def test_words_between_names_and_values_are_named(table_of):
    text = "gene,symbol,place,s1\ng1,TP53,17p13,1\ng2,BRCA1,17q21,2\n"
    with pytest.raises(ValueError, match=r"^Columns 'symbol', 'place' hold words between .* with "):
        table_of(text, transpose=True)
    with pytest.raises(ValueError, match=r"^Column 'place' holds words .*--drop place\.$"):
        table_of(text, transpose=True, drop=["symbol"])


def test_a_row_of_words_is_no_annotation(table_of):
    with pytest.raises(ValueError, match="Column 's1' holds 'ill' in row 2, which is not a number"):
        table_of("gene,s1,s2\nkind,ill,well\ng1,1,2\n", transpose=True)
    with pytest.raises(ValueError, match="There are several rows 'kind'"):
        table_of("gene,s1\nkind,ill\nkind,well\ng1,1\n", "kind", transpose=True)
    with pytest.raises(ValueError, match="nothing is left beside the dropped columns"):
        table_of("gene,s1\ng1,1\n", transpose=True, drop=["s1"])


def test_rows_that_the_metadata_have_are_no_features(table_of):
    table = table_of("gene,s1,s2\nage,1,2\ng1,1,2\n", transpose=True, elsewhere=["age", "sex"])
    assert table.feature_names == ["g1"]
    assert table.remarks == (
        "Column 'age' of the table, also in the metadata: not used as features.",
    )
