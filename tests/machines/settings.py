"""Other kinds of CPU, as this one can play them: settings of OpenBLAS, numba, NumPy and threads."""

from pathlib import Path

from llvmlite import binding
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

ROOT = Path(__file__).parents[2]


def settings():
    """Name of a setting -> its environment variables."""
    here = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
    return {
        **{f"openblas-{core.lower()}": {"OPENBLAS_CORETYPE": core} for core in CORES},
        "numba-generic": numba_for("generic", NUMBA_CPU_NAME="generic"),
        "numba-no-avx512": numba_for("no-avx512", NUMBA_CPU_FEATURES=features_without("avx512")),
        "numba-no-fma": numba_for("no-fma", NUMBA_CPU_FEATURES=features_without("avx512", "fma")),
        "numpy-baseline": {"NPY_DISABLE_CPU_FEATURES": " ".join(here)},
        **{f"threads-{n}": {"HITMISS_TEST_THREADS": str(n)} for n in (1, 2, 4)},
    }


CORES = ("Prescott", "Haswell", "SkylakeX", "Zen")
# Those in which results have differed most, for a run of five minutes.
FEW = ("openblas-prescott", "numba-generic", "numba-no-fma", "numpy-baseline")


def numba_for(name, **variables):
    """Variables of numba with a cache of their own, beside which no other code is kept."""
    return {**variables, "NUMBA_CACHE_DIR": str(ROOT / ".envs" / "machines" / name)}


def features_without(*beginnings):
    """Features of this CPU for numba, without those whose names begin so."""
    known = binding.get_host_cpu_features()
    kept = {name: has and not name.startswith(beginnings) for name, has in known.items()}
    return ",".join(f"{'+' if has else '-'}{name}" for name, has in kept.items())
