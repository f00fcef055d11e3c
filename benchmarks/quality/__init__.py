"""Lists of features on real data, by LOFE, its relatives and its peers, judged by new samples."""

import os


def run(quick=False):
    """All rows; what is not stored yet is run first, unless `quick`."""
    from benchmarks.quality import fits, requirements, runner
    from benchmarks.quality.__main__ import RESULTS, written
    from benchmarks.quality.measures import stored

    if quick or "HITMISS_DATA" not in os.environ:
        evidence = stored(RESULTS)
    else:
        runner.run(RESULTS)
        evidence = written(RESULTS)
    return [*requirements.rows(evidence), *fits.measured(quick=quick)]
