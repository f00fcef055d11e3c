from reproduce.harness.experiment import Key
from reproduce.harness.records import best_on_test, cases_in, chosen_on_training, values


def test_cases_come_in_the_order_of_the_names():
    assert cases_in({Key("b", "m", 0): {}, Key("a", "m", 0): {}}, ["a", "c", "b"]) == ["a", "b"]


def test_the_number_of_features_is_chosen_on_the_test_data_or_on_the_training_data():
    records = {
        Key("a", "m", 0): {"test": [3.0, 1.0, 2.0], "nested": [9.0, 8.0, 7.0]},
        Key("a", "m", 1): {"test": [4.0, 5.0, 6.0]},
    }
    assert best_on_test(records, "a", "m") == [1.0, 4.0]
    assert chosen_on_training(records, "a", "m") == [2.0]  # the other run has none


def test_values_come_by_run_where_they_exist():
    records = {
        Key("a", "m", 10): {"v": 3},
        Key("a", "m", 2): {"v": 1},
        Key("a", "m", 3): {},
        Key("b", "m", 1): {"v": 9},
    }
    assert values(records, "a", "m", "v") == [1, 3]
