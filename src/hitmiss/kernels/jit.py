"""The one compiler decorator of every kernel."""

from numba import njit

# Sums may be reassociated so that they vectorize; NaN and inf keep their meaning.
REORDER = {"reassoc", "contract", "nsz"}

kernel = njit(cache=True, nogil=True, fastmath=REORDER)
