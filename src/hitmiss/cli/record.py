"""What a run leaves on record: versions, data and parameters."""

import platform
from importlib.metadata import version

from hitmiss._util.versions import _DEPENDENCIES, __version__


def versions() -> dict[str, str]:
    """Versions of everything the numbers depend on."""
    packages = {name: version(name) for name in _DEPENDENCIES}
    return {
        "hitmiss": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        **packages,
    }
