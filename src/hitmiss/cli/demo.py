"""``hitmiss demo`` and ``python -m hitmiss.cli.demo``: two relevant features among 10,002."""

import time

N_IRRELEVANT = 10_000


def main() -> None:
    """Find two relevant features among 10,002."""
    import numpy as np

    from hitmiss import LOFE, datasets
    from hitmiss._util.progress import COMPILATION

    print(f"Fermat's spiral: 460 samples, 2 relevant features, {N_IRRELEVANT:,} irrelevant ones.")
    X, y = datasets.make_spiral(
        n_irrelevant=N_IRRELEVANT, random_state=0, dtype=np.float32, return_X_y=True
    )
    with COMPILATION.shown():  # excluded from the time below; few features do not use all kernels
        LOFE().fit(X[:, : N_IRRELEVANT // 2], y)
    began = time.perf_counter()
    lofe = LOFE(verbose=True).fit(X, y)
    seconds = time.perf_counter() - began
    for j in lofe.get_support(indices=True):
        print(f"  feature {j}: weight {lofe.weights_[j]:.2f}")
    print(f"Found {lofe.get_support().sum()} of {X.shape[1]:,} features in {seconds:.2f} s.")
    print(f"Leave-one-out error: {lofe.loo_error_:.1%}.")
    print(f"Certificate: no feature violates optimality by more than {lofe.optimality_gap_:.0e}.")


if __name__ == "__main__":
    main()
