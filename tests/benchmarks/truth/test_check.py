"""Draws that are run again are compared with those that are stored."""

from benchmarks.truth.__main__ import main
from benchmarks.truth.check import pairs, same
from benchmarks.truth.evidence import Evidence, stored
from benchmarks.truth.methods import OURS
from benchmarks.truth.page import again
from benchmarks.truth.scenarios import table


def record(draw=0, q=(), **others):
    levels = {str(j): level for j, level in enumerate(q)}
    known = {"scenario": "xor", "draw": draw, "q": levels, "relevant": [0], "kin": {}}
    return known | {"commit": "abc", **others}


def test_only_the_selections_at_the_levels_are_compared():
    then = record(q=[0.05, 0.19, 0.3])
    assert same((then, record(q=[0.04, 0.15, 0.5])))
    assert not same((then, record(q=[0.06, 0.15])))
    assert same((then, record(q=[0.06, 0.15])), [0.1, 0.2])


def test_draws_that_differ_are_listed_with_their_rates():
    then = {("xor", k): record(k, [0.05]) for k in range(3)}
    now = {("xor", 0): record(0, [0.05]), ("xor", 1): record(1, [0.05, 0.1]), ("xor", 9): record(9)}
    shown = again(Evidence(table(), {OURS: then}, again={OURS: now}))
    assert "| FDRSelector(LOFE()) | 2 | 2 | 1 | 1 | abc |" in shown
    assert "| xor | 1 | 0.1 | 1 → 2 | 0.00 → 0.50 | 1.00 → 1.00 |" in shown
    assert "| xor | 1 | 0.05 |" not in shown


def test_what_is_run_again_is_stored_beside_and_is_the_same(tmp_path):
    quick = ["--quick", "--methods", OURS, "--folder", str(tmp_path / "results"), "--only", "xor"]
    main(quick)
    before = (tmp_path / "results" / f"{OURS}.jsonl").read_bytes()
    main([*quick, "--check", "1"])
    evidence = stored(tmp_path / "results", quick=True)
    (pair,) = pairs(evidence, OURS)
    assert same(pair)
    assert (tmp_path / "results" / f"{OURS}.jsonl").read_bytes() == before
    assert "| FDRSelector(LOFE()) | 1 | 1 | 1 | 1 |" in (tmp_path / "README.md").read_text()
