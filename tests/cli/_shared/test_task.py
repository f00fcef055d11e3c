import numpy as np
import pytest

from hitmiss.cli._shared.task import Task, as_classes, task_of


@pytest.mark.parametrize(
    "y",
    [
        np.array(["a", "b"] * 30),
        np.arange(60) % 10,  # digits
        np.arange(200) % 20,  # twenty of ten samples each
        np.array([f"c{n}" for n in range(60)]),
    ],
)
def test_words_and_few_numbers_are_classes(y):
    assert task_of(y, None, "'kind'") is Task.classes


@pytest.mark.parametrize(
    ("y", "n"),
    [
        (np.arange(60) % 11, 11),
        (np.arange(400) % 21, 21),
        (np.array([0.5, 1.5] * 30), 2),
    ],
)
def test_many_numbers_are_asked_for_and_only_what_exists_is_offered(y, n):
    with pytest.raises(
        ValueError, match=f"^The target 'age' holds measurements, {n} diff"
    ) as error:
        task_of(y, None, "'age'")
    assert [text.partition(" ")[0] for text in str(error.value).split("--task ")[1:]] == [*Task]
    assert task_of(y, Task.classes, "'age'") is Task.classes


def test_numbers_with_decimals_become_names_of_classes():
    assert as_classes(np.array([0.5, 10.0])).tolist() == ["0.5", "10"]
    assert as_classes(np.array([1, 2])).tolist() == [1, 2]
