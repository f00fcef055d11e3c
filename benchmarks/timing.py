"""How everything here is timed: warm, best of several, ours and the peer's in turn."""

import re
import time


def seconds(function, repeat=3):
    """Shortest of `repeat` runs, after one that compiles and warms the caches."""
    function()
    return min(once(function) for _ in range(repeat))


def once(function):
    """Seconds of a single run."""
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def compared(what, ours, peer, theirs, *, required="", note="", repeat=3):
    """A row that compares `ours` with `theirs`, run in turn, each as its best of `repeat`."""
    ours()
    times = [(once(ours), once(theirs)) for _ in range(repeat)]
    return row(what, min(t for t, _ in times), peer, min(t for _, t in times), required, note)


def row(what, ours_s, peer="", peer_s=None, required="", note="", met=None):
    """One line of the table; the ratio is our time over the peer's.

    Whether a requirement on the ratio ("at most 1") or on our time ("under 20 s") is met is found
    here; any other is told by `met`.
    """
    ratio = None if peer_s is None else ours_s / peer_s
    if bound := re.fullmatch(r"at most ([\d.e-]+)", required):
        met = ratio <= float(bound[1])
    if bound := re.fullmatch(r"under ([\d.e-]+) s", required):
        met = ours_s < float(bound[1])
    return {
        "what": what,
        "ours_s": ours_s,
        "peer": peer,
        "peer_s": peer_s,
        "ratio": ratio,
        "required": required,
        "met": met,
        "note": note,
    }
