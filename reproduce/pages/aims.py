"""The aims of this project, and whether the checks that belong to them hold."""

from reproduce.harness.markdown import link, table, yes
from reproduce.harness.results import cpu_time
from reproduce.harness.section import Check

# Name, as checks are marked with it -> the aim. The order is that of the page.
AIMS = {
    "lofe errors": "LOFE, Table 2: on each of the seven sets the error is at most the published "
    "one plus one published standard deviation",
    "lofe banana": "LOFE, Table 2: on banana the error is within 1 point of that of the SVM on the "
    "original features",
    "lofe fdr": "LOFE, Table 2: false discoveries, averaged over the sets, at most 1.9 per 1,000",
    "lofe outcomes": "LOFE, Table 2: wins or ties against each baseline on at least as many sets "
    "as published",
    "lofe default errors": 'LOFE, Table 2, with α "auto" and both orders, chosen on other sets: on '
    "each of the seven sets the error is at most the published one plus one published standard "
    "deviation",
    "lofe default outcomes": 'LOFE, Table 2, with α "auto" and both orders: wins or ties against '
    "each baseline on at least as many sets as published",
    "lofe microarrays": "LOFE, Table 4: DLBCL at most 5.2 % and breast cancer at most 23.7 % with "
    "at most 28 genes, selected inside every fold",
    "lofe default microarrays": 'LOFE, Table 4, with α "auto" and both orders: the same limits',
    "irelief outcomes": "I-RELIEF, Table 2: at least 9 wins and no loss against RELIEF-F in 18 "
    "cases",
    "irelief auto": "I-RELIEF, Fig. 14: with σ in units of the data at most the mean error of "
    "RELIEF-F",
    "irelief pictures": "I-RELIEF, Fig. 6: ROC curves for all cases",
    "frel orders": "FREL: each stated order tested, with Nogueira's intervals, and marked as "
    "holding or not under each reading of the paper",
    "size on training": "Where a paper chooses the number of features on the test data, its error "
    "with a number chosen on the training data is given as well",
    "complete": "Every experiment has run in full, and date, machine, versions and time are kept",
}


def aims_table(marked):
    """Every aim, whether it holds, and what was found.

    Parameters
    ----------
    marked : list of (str, Check)
        Checks that belong to an aim, with the title of their section; an empty title for none.
    """
    rows = []
    for name, point in AIMS.items():
        pairs = [(title, check) for title, check in marked if check.aim == name]
        titles = dict.fromkeys(title for title, _ in pairs if title)
        links = ", ".join(link(title, title.split(":")[0]) for title in titles)
        rows.append([point, verdict([check for _, check in pairs]), findings(pairs), links])
    return table(["what", "holds", "found", "section"], rows)


def verdict(checks):
    """ "yes", "**no**", "partly", or "open" as long as one is open or there is none."""
    if not checks or any(check.held is None for check in checks):
        return "open"
    if any(check.held for check in checks) and any(check.failed for check in checks):
        return "partly"
    return yes(all(check.held for check in checks))


def findings(pairs):
    """What was found where it holds, then where it does not, and why."""
    if len(pairs) == 1:
        (_, check), *_ = pairs
        return f"{check.found}{reason(check)}"
    fine = [finding(title, check) for title, check in pairs if not check.failed]
    poor = [finding(title, check) + reason(check) for title, check in pairs if check.failed]
    return "; ".join([*fine, *(f"**not** {text}" for text in poor)])


def finding(title, check):
    """What was found, and about what."""
    return f"{check.subject or title.split(':')[0]}: {check.found}"


def reason(check):
    return f" ({check.why})" if check.failed and check.why else ""


def complete(results):
    """Whether every task of every experiment is stored; a quick trial does not count."""
    full = [what for what in results if what.store and not what.store.protocol["quick"]]
    done = [what for what in full if not what.missing_runs]
    found = f"{len(done)} of {len(results)} experiments, {cpu_time(*results)} of CPU time"
    claim = "every experiment has run in full"
    return Check(len(done) == len(results), claim, found, aim="complete")
