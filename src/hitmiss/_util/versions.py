"""The version of hitmiss and of what it runs on."""

__version__ = "0.2.0"

_DEPENDENCIES = ("numpy", "scipy", "scikit-learn", "numba", "joblib")


def versions() -> dict[str, str]:
    """Versions of everything that numerical results depend on, by name.

    Examples
    --------
    >>> list(versions())
    ['hitmiss', 'python', 'platform', 'numpy', 'scipy', 'scikit-learn', 'numba', 'joblib']
    """
    # Imported here: `import hitmiss` pays for none of it.
    import platform
    from importlib.metadata import version

    return {
        "hitmiss": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        **{name: version(name) for name in _DEPENDENCIES},
    }


def show_versions() -> None:
    """Print the versions a bug report should name.

    Examples
    --------
    >>> import hitmiss
    >>> hitmiss.show_versions()
    hitmiss          ...
    python           ...
    """
    import platform

    import joblib
    from numba.core import config

    found = versions()
    rows = {
        **found,
        "python": f"{platform.python_implementation()} {found['python']}",
        "cores": f"{joblib.cpu_count()} ({joblib.cpu_count(only_physical_cores=True)} physical)",
        "threading layer": f"{config.THREADING_LAYER} (numba)",
    }
    for name, value in rows.items():
        print(f"{name:<16} {value}")
