"""How everything here is timed: warm, best of several, ours and the peer's in turn."""

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


def row(what, ours_s, peer="", peer_s=None, required="", note=""):
    """One line of the table; the ratio is our time over the peer's."""
    ratio = None if peer_s is None else ours_s / peer_s
    return {
        "what": what,
        "ours_s": ours_s,
        "peer": peer,
        "peer_s": peer_s,
        "ratio": ratio,
        "required": required,
        "note": note,
    }
