"""Lists of features on real data, by LOFE, its relatives and its peers, judged by new samples."""


def run(quick=False):
    """All rows; ``python -m benchmarks.quality`` has stored those of lists and of predictions."""
    from benchmarks.quality import fits, requirements, tuned
    from benchmarks.quality.__main__ import RESULTS, written
    from benchmarks.quality.measures import stored

    evidence = stored(RESULTS) if quick else written(RESULTS)
    return [*requirements.rows(evidence), *tuned.rows(RESULTS), *fits.measured(quick=quick)]
