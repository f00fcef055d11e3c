"""Lists of features on real data, by LOFE, its relatives and its peers, judged by new samples."""


def run(quick=False):
    """All rows; those about lists are of what ``python -m benchmarks.quality`` has stored."""
    from benchmarks.quality import fits, requirements
    from benchmarks.quality.__main__ import RESULTS, written
    from benchmarks.quality.measures import stored

    evidence = stored(RESULTS) if quick else written(RESULTS)
    return [*requirements.rows(evidence), *fits.measured(quick=quick)]
