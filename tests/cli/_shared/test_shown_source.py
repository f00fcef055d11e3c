from hitmiss.cli._shared.shown_source import shown_source

GIVEN = {"file": "a.csv", "sha256": "12", "target": "kind", "metadata": None}


def test_what_was_done_to_the_columns_is_shown():
    done = {"samples": "id", "drop": ["note", "day"], "nominal": ["stage"], "strata": "batch"}
    shown = shown_source({**GIVEN, **done, "missing": "drop-samples", "n_missing": 0})
    assert (shown["names_of_samples"], shown["left_out"]) == ("id", "note, day")
    assert (shown["nominal"], shown["strata"], shown["missing"]) == (
        "stage",
        "batch",
        "drop-samples",
    )


def test_what_was_not_given_is_not():
    bare = {**GIVEN, "samples": None, "drop": [], "missing": "keep", "n_missing": 2}
    assert shown_source(bare) == {
        "file": "a.csv",
        "sha256": "12",
        "target": "kind",
        "missing_values": 2,
    }
