from reproduce.pages.irelief.table2_reasons import reasons
from tests.reproduce.pages.irelief.table2_results import results


def test_the_reasons_say_whose_error_is_not_the_published_one():
    # published: I-RELIEF 11.2(1.2), RELIEF-F 12.2(1.3), a win
    far = "is at least 2 standard errors from the published one on"
    better = reasons(results(10.0, 10.0))
    assert "not won here: waveform 10 %. None is lost." in better
    assert f"Our RELIEF-F {far} waveform 10 % (-" in better
    assert f"Our I-RELIEF {far} no case." in better
    worse = reasons(results(30.0))
    assert f"Our I-RELIEF {far} waveform 10 % (+" in worse
    assert "Lost: waveform 10 %, " in worse
    assert "test data 0.0(0.0) and 0.0(0.0), so it is the number of features chosen." in worse


def test_the_reasons_say_how_irelief_does_against_every_number_of_neighbors():
    text = reasons(results(28.0))
    neighbors, widths = (part for part in text.split("\n\n") if "win/tie/loss" in part)
    # the grid begins with 10 neighbors, where RELIEF-F has its 25, and goes on with 1, 3, 5, ...
    assert "| published | tuned | 1 | 3 | 5 | 10 | 20 | 40 | 80 |" in neighbors
    assert "| win/tie/loss |  | 0/0/1 | 0/0/1 | 0/0/1 | 0/1/0 | 0/0/1 | 1/0/0 |" in neighbors
    assert "| 12.2(1.3) | 25.9(0.8) | 26.9(0.8) | 27.9(0.8) |" in neighbors
    assert "| published | tuned | 0.1 | 0.2 | 0.3 | 0.5 | 1 | 2 | 5 |" in widths
