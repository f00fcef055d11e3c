import hitmiss as package


def test_datasets(hitmiss, tmp_path):
    assert "spiral" in hitmiss("datasets").stdout
    for name in ("spiral.csv", "spiral.csv.gz"):
        out = tmp_path / name
        options = ["--n-irrelevant", "8", "--n-samples", "60", "--out", out]
        result = hitmiss("datasets", "spiral", *options)
        assert result.exit_code == 0
        assert "Relevant: x0, x1." in result.stdout
        table = package.io.read_table(out, "class")
        expected = package.datasets.make_spiral(60, n_irrelevant=8, random_state=0)
        assert table.X.tolist() == expected.data.tolist()
        assert table.y.tolist() == expected.target.tolist()
    assert hitmiss("datasets", "nonesuch").exit_code == 2
    assert hitmiss("datasets", "spiral", "--out", tmp_path / "a.png").exit_code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["spiral.csv", "spiral.csv.gz"]
