"""Results of FREL's Figs. 1 and 3 to 5, made by hand."""

from reproduce.experiments.frel.readings import WITHOUT_MEASURE, names_of_seven
from reproduce.harness.experiment import Key


def curve(last, start=0.3, before=None):
    """Stability by number of members."""
    return dict(zip(("1", "5", "10", "20"), (start, start, before or last, last), strict=True))


def selections(n_shared, n_rows=10, n_top=5):
    """Features selected on each subsample, of which the first are the same on all."""
    own = [range(n_shared + n_top * row, n_top * (row + 1)) for row in range(n_rows)]
    return [[*range(n_shared), *some] for some in own]


def record(stable, right=0.9, n_shared=3, **growth):
    both = {by: curve(stable, **growth) for by in ("eq. 22", "Spearman")}
    return {
        "alone": stable,
        "ensemble": both,
        "selected": selections(n_shared),
        "n_features": 60,
        "accuracy": {
            form: dict.fromkeys(("1NN", "3NN", "linear SVM", "polynomial SVM"), right)
            for form in ("alone", "ensemble")
        },
    }


AS_PUBLISHED = {
    "En-Relief": record(0.8),
    "En-ReliefF": record(0.8),
    "En-Fisher": record(0.8),
    "En-Log+L1": record(0.5, n_shared=1),
    "En-Log+L2": record(0.95, n_shared=5),
    "En-Square+L2": record(0.94, n_shared=5),
    "VR-Lmba": record(0.8),
}


def made(changes=(), readings=WITHOUT_MEASURE, cases=("tox_171",)):
    """Records that are as published under all readings, with changes under some."""
    records = {}
    for case in cases:
        for reading in WITHOUT_MEASURE:
            now = AS_PUBLISHED | (dict(changes) if reading in readings else {})
            for name, method in names_of_seven(reading).items():
                if now[name]:
                    records[Key(case, method, 0)] = now[name]
    return records
