"""Introduction of the page: commands, aims, and how to read the results."""

from reproduce.pages.aims import aims_table, complete

HEADER = """# The papers, reproduced

`python -m reproduce NAME` runs an experiment, or goes on with it after an interruption, and makes
this page from the stored results (`--page` alone does that too); without a name it lists the
experiments and how long they take. `make reproduce` runs them all. The datasets are read from the
folder that `HITMISS_DATA` names. Stored results are kept when the library changes; `--fresh` begins
again.
"""

TESTED = """That an interrupted run gives the same table, that scaling sees training data only, and
that `--quick` runs every experiment on little data, is shown by the tests in `tests/reproduce`."""

READING = """## How to read it

Every line that says yes or no is computed from the stored results.

*What sees the test data.* Scaling, selection and tuning see training data only, but for two things:
the IDA collection had standardized most of its sets over all rows before anybody drew a training
set (all tables and figures with such sets as twonorm, waveform or heart use them), and where FREL's
stability is measured, and nothing predicted, features are scaled over the whole set. Where a paper
reports the error with the number of features that is best *on the test data*, it is given as
published, and beside it the error with a number chosen on the training data. Where a paper tunes a
classifier without the irrelevant features, so do we, and say so there.

*Differences* are (ours − published) / standard error, where the standard error is that of both
means: √(s₁²/n₁ + s₂²/n₂). It takes the runs for independent. They are partitions of one set that
overlap, so the true standard errors are larger, the differences smaller and the p of paired tests
larger than printed. No p is corrected for the number of tests, as in the papers.

*Limits* are of three kinds. Checks marked as an aim have a limit that this project set itself
beforehand; they make up the first table. Numbers that a paper states are its own. Where a paper
says "similar", "close" or "nearly all", the check needs a number, and that number is ours: any
points of error, cosine, share or percentage in a check that is not said to be published.
"""


def introduction(results):
    """Everything before the summary, in Markdown."""
    return "\n".join([HEADER, aims(results), READING])


def aims(results):
    """The aims of this project, and whether they are reached."""
    marked = [(what.section.title, check) for what in results for check in what.checks]
    table_of_aims = aims_table([*marked, ("", complete(results))])
    return f"## What this project set out to show\n\n{table_of_aims}\n\n{TESTED}\n"
