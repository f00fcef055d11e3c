"""Lists of features on real data, by LOFE, its relatives and its peers, judged by new samples."""


def stored_with():
    """What the stored lists and predictions were made with."""
    from benchmarks.quality.__main__ import RESULTS
    from benchmarks.quality.own import FOLDER
    from benchmarks.truth.store import of_all, sentence

    return sentence([*of_all(RESULTS), *of_all(RESULTS / FOLDER)])


def run(quick=False):
    """All rows; ``python -m benchmarks.quality`` has stored those of lists and of predictions."""
    from benchmarks.quality import fits, requirements, tuned
    from benchmarks.quality.__main__ import RESULTS, written
    from benchmarks.quality.measures import stored

    evidence = stored(RESULTS) if quick else written(RESULTS)
    return [*requirements.rows(evidence), *tuned.rows(RESULTS), *fits.measured(quick=quick)]
