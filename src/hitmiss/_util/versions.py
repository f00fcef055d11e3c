"""The version of hitmiss and of what it runs on."""

__version__ = "0.1.0"

_DEPENDENCIES = ("numpy", "scipy", "scikit-learn", "numba", "joblib")


def show_versions() -> None:
    """Print the versions a bug report should name.

    Examples
    --------
    >>> import hitmiss
    >>> hitmiss.show_versions()
    hitmiss          ...
    python           ...
    """
    # Imported here: `import hitmiss` pays for none of it.
    import platform
    from importlib.metadata import version

    import joblib
    from numba.core import config

    rows = {
        "hitmiss": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
        **{name: version(name) for name in _DEPENDENCIES},
        "cores": f"{joblib.cpu_count()} ({joblib.cpu_count(only_physical_cores=True)} physical)",
        "threading layer": f"{config.THREADING_LAYER} (numba)",
    }
    for name, value in rows.items():
        print(f"{name:<16} {value}")
