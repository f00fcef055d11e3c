import pytest

from hitmiss._util.errors import InputError
from hitmiss.io.events import Cells, events_and_times


def read(events, times):
    samples = [f"p{n}" for n in range(len(times))]
    return events_and_times(Cells("dead", events, samples), Cells("days", times, samples))


@pytest.mark.parametrize(
    "events",
    [
        [1, 0, 1],
        ["1", "0", "1"],
        ["1.0", "0.0", "1.00:dead"],  # as a column with gaps is written
        ["yes", "No", "YES"],
        ["True", "false", "true"],
        ["dead", "Alive", "deceased"],
        ["1:DECEASED", "0:LIVING", "1:Progressed"],
    ],
)
def test_words_for_events(events):
    found = read(events, ["2.5", 4, "6"])
    assert found["event"].tolist() == [True, False, True]
    assert found["time"].tolist() == [2.5, 4.0, 6.0]


@pytest.mark.parametrize(
    ("events", "times", "sentence"),
    [
        (
            [1, 2, 1],
            [1, 2, 3],
            "^Column 'dead' is '2' for sample 'p1'; write 1 if the event was",
        ),
        ([1, "0.5", 1], [1, 2, 3], "^Column 'dead' is '0.5' for sample 'p1'; write 1"),
        ([1, 0, "lost"], [1, 2, 3], "^Column 'dead' is 'lost' for sample 'p2'; write 1"),
        (
            [1, 0, 1],
            [1, "2 d", 3],
            "^Column 'days' is '2 d' for sample 'p1'; times must be numbers",
        ),
        ([1, 0, 1], [1, 2, "inf"], "^Column 'days' is 'inf' for sample 'p2'; times must be finite"),
        ([1, 0, 1], [1, 2, -3], "^Column 'days' is '-3' for sample 'p2'; .* none is negative"),
        ([0, 0, 0], [1, 2, 3], "^No sample has an event in column 'dead'"),
        ([1, 0, 1], [7, 7, 7], "^Column 'days' is 7 for all samples"),
    ],
)
def test_what_is_wrong_is_told_by_column_and_sample(events, times, sentence):
    with pytest.raises(InputError, match=sentence):
        read(events, times)
