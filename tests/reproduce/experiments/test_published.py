from reproduce.experiments.published import printed


def test_published_cells_are_found_by_set_and_method():
    table = {"columns": ["x", "y"], "rows": {"a": ["1.0(0.1)", 2]}}
    assert printed(table, "a", "y") == 2
