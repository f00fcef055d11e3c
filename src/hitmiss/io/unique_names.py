"""Names that occur more than once, told apart by numbers."""

from collections import Counter
from collections.abc import Sequence
from itertools import count


def made_unique(names: Sequence[str]) -> list[str]:
    """The names, with a number appended to each that occurred before.

    No name is changed that occurs once, and none becomes one that is there already.

    Parameters
    ----------
    names : sequence of str
        Names of any kind.

    Returns
    -------
    list of str

    Examples
    --------
    >>> made_unique(["a", "b", "a", "a", "a_2"])
    ['a', 'b', 'a_3', 'a_4', 'a_2']
    """
    taken, seen, found = set(names), Counter[str](), []
    for name in names:
        seen[name] += 1
        if seen[name] > 1:
            numbers = count(max(seen[name], 2))
            name, base = next(f"{name}_{k}" for k in numbers if f"{name}_{k}" not in taken), name
            seen[base] = int(name.rpartition("_")[2])  # the next one goes on from here
            taken.add(name)
        found.append(name)
    return found
