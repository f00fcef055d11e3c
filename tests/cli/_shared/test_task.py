import numpy as np
import pytest

from hitmiss._util.errors import InputError
from hitmiss.cli._shared.task import Task, as_classes, check_classes, method_for, task_of
from tests.cli.conftest import assert_one_sentence

AGES = np.arange(20, 60)


@pytest.mark.parametrize(
    ("y", "task"),
    [
        (np.array(["a", "b"]), Task.classes),
        (np.array([0, 1, 2, 1]), Task.classes),
        (np.repeat(np.arange(15), 10), Task.classes),
        (np.arange(7), Task.numbers),
        (AGES, Task.numbers),
        (np.repeat(AGES, 2), Task.numbers),
        (AGES + 0.5, Task.numbers),
        (np.repeat(AGES + 0.5, 5), Task.numbers),
    ],
)
def test_what_a_target_is_taken_for(y, task):
    assert task_of(y, None, "'y'") is task


def test_what_was_said_overrides():
    assert task_of(AGES, Task.classes, "'y'") is Task.classes
    assert task_of(np.array([0, 1, 1]), Task.numbers, "'y'") is Task.numbers
    with pytest.raises(InputError, match="holds words"):
        task_of(np.array(["a", "b"]), Task.numbers, "'y'")


def test_infinity_in_numbers_is_told_by_its_row(hitmiss, write_csv):
    path = write_csv([["dose", "a"], [1.5, 1], ["inf", 2], [2.5, 3], [3.5, 5]])
    result = hitmiss("select", path, "-t", "dose", "--task", "numbers", "--quick", "-q")
    assert_one_sentence(result, "Input y contains infinity in row 1; leave such samples out")


@pytest.mark.parametrize(
    ("y", "held"),
    [
        (np.array([0.5, 1.5, 0.5]), "2 different numbers for 3 samples"),
        (np.repeat(AGES, 5), "40 different whole numbers for 200 samples"),
        (np.repeat(AGES[:12], 9), "12 different whole numbers for 108 samples"),
    ],
)
def test_what_may_be_either_is_asked_for(y, held):
    may_be = "which may be measurements or classes; use --task numbers or --task classes."
    with pytest.raises(InputError, match=rf"^The target 'y' holds {held}, {may_be}$"):
        task_of(y, None, "'y'")


def test_words_among_numbers_are_mistakes():
    y = np.array([*map(str, AGES + 0.5), "inf", "> 60"])
    sentence = (
        r"^The target 'y' holds numbers, except in 2 of 42 samples, the first being 'inf'; corr"
    )
    with pytest.raises(InputError, match=sentence):
        task_of(y, None, "'y'")
    assert task_of(y, Task.classes, "'y'") is Task.classes
    assert task_of(np.repeat(["1", "2", "other"], 4), None, "'y'") is Task.classes
    assert task_of(np.array(["007", "008", "009"]), None, "'y'") is Task.classes


def test_one_number_for_all_is_said():
    sentence = r"'y' is 2\.5 for all samples, so there is nothing to explain; name .* --target\.$"
    with pytest.raises(InputError, match=sentence):
        task_of(np.full(4, 2.5), None, "'y'")


def test_commands_of_classes():
    check_classes(AGES, Task.classes, "'y'")
    check_classes(np.array([0, 1, 1]), None, "'y'")
    with pytest.raises(InputError, match="holds measurements, 40 different numbers"):
        check_classes(AGES, None, "'y'")
    with pytest.raises(InputError, match="Only hitmiss select supports --task numbers; use that"):
        check_classes(AGES, Task.numbers, "'y'")


def test_a_method_for_each_task():
    assert method_for("simba", Task.classes) == "simba"
    assert method_for("LOFE", Task.numbers) == "loferegressor"
    assert method_for("RReliefF", Task.numbers) == "rrelieff"
    assert method_for("lofe", Task.survival) == "lofesurvival"
    assert method_for("multisurf", Task.numbers) == "rmultisurf"
    with pytest.raises(InputError, match=r"for numbers use --method lofe, .*surf or irelief\."):
        method_for("simba", Task.numbers)
    with pytest.raises(InputError, match=r"simba needs classes; for survival use --method lofe\."):
        method_for("simba", Task.survival)


def test_numbers_with_decimals_become_names_of_classes():
    assert as_classes(np.array([0.5, 10.0])).tolist() == ["0.5", "10"]
    assert as_classes(np.array([1234567.25, 1234567.5])).tolist() == ["1234567.25", "1234567.5"]
    assert as_classes(np.array([1, 2])).tolist() == [1, 2]


def test_names_of_classes_are_in_the_precision_of_their_numbers():
    y = np.array([0.1, 1.0, 1234567.5, 123456792.0], np.float32)
    assert as_classes(y).tolist() == ["0.1", "1", "1234567.5", "123456792"]
    assert as_classes(np.array([0.1, 2.5], np.float16)).tolist() == ["0.1", "2.5"]
