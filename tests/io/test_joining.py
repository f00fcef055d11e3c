"""Two files about the same samples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.io import Table, joined, read_columns
from hitmiss.io.joining import matched


def table(*names, column="id"):
    X = np.arange(float(len(names)))[:, None]
    return Table(X, None, ["gene"], list(names), column, named=True)


def test_samples_are_found_in_any_order_and_the_others_counted():
    columns = {"age": ["40", "50", "60"], "patient": [" s3", "s1 ", "s9"]}
    both, known, join = joined(table("s1", "s2", "s3"), columns)
    assert (both.sample_names, both.X[:, 0].tolist()) == (["s1", "s3"], [0, 2])
    assert known["age"] == ["50", "40"]
    assert (join.column, join.only_in_table, join.only_in_metadata) == ("patient", ["s2"], ["s9"])


@pytest.mark.parametrize(
    ("columns", "names", "sentence"),
    [
        (
            {"id": ["001", "002", "003"], "age": [40, 50, 60]},
            None,
            "has '1', '2', column 'id' of the metadata '001', '002'; correct the names, or",
        ),
        (
            {"id": ["1", "2", "1"]},
            None,
            "The sample '1' occurs twice in column 'id' of the metadata",
        ),
        ({"a": ["1", "2"], "b": ["2", "1"]}, None, "Columns 'a', 'b' of the metadata could all be"),
        ({"a": ["1", "2"]}, "b", "There is no column of the metadata 'b'; there are 'a'"),
        ({"a": ["", None]}, None, "column 'a' of the metadata none; correct the names"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(columns, names, sentence):
    with pytest.raises(ValueError, match=sentence):
        joined(table("1", "2", column="sample"), columns, names)


def test_names_of_the_table_must_be_there_and_different():
    with pytest.raises(ValueError, match=r"no sample names .* with --samples"):
        joined(Table(np.zeros((2, 1)), None, ["a"], ["1", "2"]), {"id": ["1", "2"]})
    with pytest.raises(ValueError, match="The sample 's1' occurs twice in the table"):
        joined(table("s1", "s1"), {"id": ["s1"]})
    twice_elsewhere, _, _ = joined(table("s1", "s2", "s2"), {"id": ["s1"]})
    assert twice_elsewhere.sample_names == ["s1"]


def test_a_column_of_the_name_of_that_in_the_table_is_preferred():
    columns = {"number": [1, 2], "id": ["2", "1"]}
    assert joined(table("1", "2"), columns)[2].column == "id"
    same = {"number": [2, 1], "again": ["2", "1"]}
    assert joined(table("1", "2"), same)[2].column == "number"


@pytest.mark.parametrize("name", ["m.csv", "m.tsv", "m.xlsx", "m.parquet", "m.h5ad", "m.npz"])
def test_any_format_is_read(tmp_path, name):
    import anndata
    import pandas as pd

    frame = pd.DataFrame({"id": [3, 1, 2], "sex": ["f", "m", "f"], "age": [40.5, 50, None]})
    path = tmp_path / name
    if name.endswith("h5ad"):
        obs = frame.set_index(frame["id"].astype(str)).drop(columns="id")
        anndata.AnnData(obs=obs).write_h5ad(path)
    elif name.endswith("npz"):
        np.savez(path, **{key: frame[key].to_numpy(str if key == "sex" else None) for key in frame})
    else:
        write = {
            "csv": frame.to_csv,
            "tsv": lambda p, index: frame.to_csv(p, sep="\t", index=index),
        }
        others = {"xlsx": frame.to_excel, "parquet": frame.to_parquet}
        (write | others)[name.partition(".")[2]](path, index=False)
    both, known, _ = joined(table("1", "2", "3"), read_columns(path))
    assert both.sample_names == ["1", "2", "3"]
    assert known["sex"] == ["m", "f", "f"]
    assert [float(age or "nan") for age in known["age"]][::2] == [50, 40.5]


NAMES = st.lists(
    st.sampled_from(["s1", " s1", "s1 ", "1", "001", "01", "1.0", "", "NA", "s2", "S2", "ä"]),
    min_size=1,
    max_size=8,
)


@given(NAMES, NAMES)
def test_a_join_is_by_equal_names_or_refused(left, right):
    """Against the definition: equal text without space around it, once on either side."""
    ours = [name.strip() for name in left]
    theirs = ["" if name in ("", "NA") else name.strip() for name in right]
    common = {name for name in ours if name and name in theirs}
    if any(side.count(name) > 1 for side in (ours, theirs) for name in common):
        with pytest.raises(ValueError, match=r"occurs .* in"):
            matched(ours, right, "id")
        return
    join = matched(ours, right, "id")
    assert [ours[n] for n in join.rows] == [theirs[k] for k in join.others]
    assert [ours[n] for n in join.rows] == [name for name in ours if name in common]
    assert join.only_in_table == [name for name in ours if name not in common]
    assert join.only_in_metadata == [name for name in theirs if name not in common]
    assert "001" not in common or "001" in left
