"""Section on online LOFE's Fig. 2: errors by penalty, and paths of the tuned one."""

import numpy as np

from reproduce.experiments.online.fig2 import COMPARED, EXPERIMENT, STARTS
from reproduce.harness.markdown import bullets, table
from reproduce.harness.panels import panels
from reproduce.harness.records import values
from reproduce.harness.section import Check, Section
from reproduce.harness.statistics import mean_of

CLOSE = 2.0  # points of error that are called close to the best
SAME = 1.2  # the largest ratio of two α that are called the same


def body(records):
    """Errors by penalty."""
    methods = penalties(records)
    rows = [
        [
            name,
            *(mean_of(values(records, name, m, "test")) for m in methods),
            tuned_alpha(records, name),
        ]
        for name in COMPARED
    ]
    head = [*(f"α = {m}" for m in methods[:-1]), "α by the evidence", "tuned α"]
    return "\n\n".join(
        [
            "Test error of an SVM in percent, mean(sd) over the runs, by α; last the α that the "
            "evidence tunes, its mean. Where no feature is left, the most frequent class is "
            "predicted. The evidence sees training data only; which fixed α is the best one can "
            "be seen on the test data alone, as in the paper.",
            table(["set", *head], rows),
        ]
    )


def penalties(records):
    """What alpha was, the tuned one last."""
    there = {key.method for key in records if key.case in COMPARED}
    return sorted(there, key=lambda alpha: np.inf if alpha == "evidence" else float(alpha))


def tuned_alpha(records, name):
    mean = mean_of(values(records, name, "evidence", "alpha"))
    return f"{mean.mean:.2f}" if mean.n else "–"


def best_fixed(records, name):
    """(error, alpha) of the fixed penalty with the smallest error on the test data."""
    means = [(mean_of(values(records, name, m, "test")), m) for m in penalties(records)[:-1]]
    return min((mean.mean, m) for mean, m in means if mean.n)


def checks(records):
    """The tuned penalty is about the best one, and the same from any start."""
    for name in COMPARED:
        fixed, _ = best_fixed(records, name)
        ours = mean_of(values(records, name, "evidence", "test")).mean
        text = f"{name}: tuned α within {CLOSE:g} points of the fixed one that is best on test data"
        yield Check(ours <= fixed + CLOSE, text, f"{ours:.1f} and {fixed:.1f}")
    ends = path_ends(records)
    text = "waveform: α comes to the same value from any start, to 20 %"
    found = ", ".join(f"{end:.3f} from {start:g}" for end, start in zip(ends, STARTS, strict=True))
    yield Check(max(ends) <= SAME * min(ends), text, found)


def path_ends(records):
    """Where the path of alpha ends, from every start."""
    return [values(records, "starts", str(start), "path")[0][-1][1] for start in STARTS]


def reasons(records):
    """Which penalty would have been better, and how far the paths end from one another."""
    lines = [
        f"{name}: the evidence tunes α to {tuned_alpha(records, name)}; of the fixed ones {alpha} "
        f"is best on the test data, with {error:.1f}."
        for name in COMPARED
        for error, alpha in [best_fixed(records, name)]
    ]
    ends = path_ends(records)
    lines.append(
        f"waveform: the largest end of a path is {max(ends) / min(ends):.2f} times the smallest."
    )
    return bullets(lines)


def draw(records):
    """Error against alpha, with the tuned one as a line; paths of alpha."""
    methods = penalties(records)
    figure, axes = panels(3, 3, 3.2)
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


SECTION = Section(
    experiment=EXPERIMENT,
    title="Online LOFE, Fig. 2: the tuned penalty",
    body=body,
    checks=checks,
    reasons=reasons,
    figures={"online-fig2": draw},
)
