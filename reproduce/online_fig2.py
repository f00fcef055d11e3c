"""Online LOFE, Fig. 2: the tuned penalty against fixed ones, and from different starts."""

import numpy as np

from hitmiss import OnlineLOFE
from reproduce import protocol
from reproduce.experiment import Check, Experiment, Key, Task
from reproduce.online_table2 import SETS, SIGMA, SMALLEST, tuned_error
from reproduce.page import table
from reproduce.statistics import mean_of, values

COMPARED = ("twonorm", "waveform")
ALPHAS = (0.1, 0.3, 1.0, 3.0, 10.0)
STARTS = (0.1, 1.0, 10.0)  # on waveform
N_IRRELEVANT, N_RUNS, N_POINTS = 5000, 10, 60
QUICK = {"sizes": (100, 300), "n_irrelevant": 50, "alphas": ALPHAS[2:3], "n_passes": 3}


def tasks(plan):
    alphas = [*(QUICK["alphas"] if plan.quick else ALPHAS), "evidence"]
    fits = [
        Task(Key(name, str(alpha), run))
        for name in COMPARED
        for alpha in alphas
        for run in range(plan.runs)
    ]
    return fits + [Task(Key("starts", str(start), 0)) for start in STARTS]


def work(key, plan, needed):
    """Test error with one penalty, or the path of the tuned one from one start."""
    name = COMPARED[1] if key.case == "starts" else key.case
    sizes, n_irrelevant = SETS[name], N_IRRELEVANT
    options = {"n_jobs": 1, "random_state": key.run}
    if plan.quick:
        sizes, n_irrelevant = QUICK["sizes"], QUICK["n_irrelevant"]
        options["n_passes"] = QUICK["n_passes"]
    split = protocol.standardized(
        protocol.random_split(f"ida_{name}", key.run, sizes, n_irrelevant)
    )
    if key.case == "starts":
        online = OnlineLOFE(SIGMA, alpha_start=float(key.method), **options).fit(*split.train)
        return {"path": thinned(online.alpha_path_)}
    alpha = key.method if key.method == "evidence" else float(key.method)
    online = OnlineLOFE(SIGMA, alpha, **options).fit(*split.train)
    used = np.flatnonzero(online.weights_ > SMALLEST)
    error = tuned_error(split, used, key.run, plan)
    return {**error, "n_used": len(used), "alpha": round(float(online.alpha_), 4)}


def thinned(path):
    """About N_POINTS rows of a path, the last among them."""
    rows = np.unique(np.linspace(0, len(path) - 1, N_POINTS).round().astype(int))
    return [[int(n), float(f"{alpha:.4g}")] for n, alpha in np.asarray(path)[rows]]


def page(records):
    """Errors by penalty."""
    methods = penalties(records)
    rows = [
        [name, *(mean_of(values(records, name, m, "test")) for m in methods), tuned(records, name)]
        for name in COMPARED
    ]
    return "\n\n".join(
        [
            "Test error of an SVM in percent, mean(sd) over the runs, by α. Where no feature is "
            "left, the most frequent class is predicted.",
            table(["set", *methods, "mean tuned α"], rows),
        ]
    )


def penalties(records):
    """What alpha was, the tuned one last."""
    there = {key.method for key in records if key.case in COMPARED}
    return sorted(there, key=lambda alpha: np.inf if alpha == "evidence" else float(alpha))


def tuned(records, name):
    return f"{np.mean(values(records, name, 'evidence', 'alpha')):.2f}"


def checks(records):
    """The tuned penalty is about the best one, and the same from any start."""
    methods = penalties(records)
    for name in COMPARED:
        fixed = [mean_of(values(records, name, m, "test")).mean for m in methods[:-1]]
        ours = mean_of(values(records, name, "evidence", "test")).mean
        text = f"{name}: tuned α within 2 points of the best fixed one"
        yield Check(ours <= np.nanmin(fixed) + 2, text, f"{ours:.1f} and {np.nanmin(fixed):.1f}")
    ends = [values(records, "starts", str(s), "path")[0][-1][1] for s in STARTS]
    text = "waveform: α comes to the same value from any start, to 20 %"
    yield Check(max(ends) <= 1.2 * min(ends), text, ends)


def draw(records):
    """Error against alpha, with the tuned one as a line; paths of alpha."""
    import matplotlib.pyplot as plt

    methods = penalties(records)
    figure, axes = plt.subplots(1, 3, figsize=(12, 3.2), layout="constrained")
    for ax, name in zip(axes, COMPARED, strict=False):
        errors = [mean_of(values(records, name, m, "test")).mean for m in methods]
        ax.semilogx([float(m) for m in methods[:-1]], errors[:-1], "o-", label="fixed α")
        ax.axhline(errors[-1], color="C1", label="tuned α")
        ax.set(title=name, xlabel="α", ylabel="test error, %")
        ax.legend()
    for start in STARTS:
        path = values(records, "starts", str(start), "path")[0]
        axes[2].loglog(*np.array(path).T, label=f"from {start:g}")
    axes[2].set(title=COMPARED[1], xlabel="samples learned from", ylabel="α")
    axes[2].minorticks_off()
    axes[2].legend()
    return figure


EXPERIMENT = Experiment(
    name="online-fig2",
    title="Online LOFE, Fig. 2: the tuned penalty",
    tasks=tasks,
    work=work,
    page=page,
    checks=checks,
    figures={"online-fig2": draw},
    runs=N_RUNS,
    seconds=lambda key: 40.0,
    protocol={"sigma": SIGMA, "n_irrelevant": N_IRRELEVANT, "starts": STARTS},
)
