from hitmiss.io import read_table


def test_classes_and_names_in_any_script(tmp_path):
    path = tmp_path / "a.arff"
    text = "@relation r\n@attribute größe numeric\n@attribute kind {krank,日本}\n@data\n"
    path.write_text(text + "1,krank\n2,日本\n3,krank\n", encoding="utf-8")
    table = read_table(path, "kind")
    assert (table.feature_names, table.y.tolist()) == (["größe"], ["krank", "日本", "krank"])
