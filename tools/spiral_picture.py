"""docs/images/spiral.png: the figure of the example that README and the first page show.

Needs matplotlib: `.venv/bin/python tools/spiral_picture.py`.
"""

import runpy
import sys
from pathlib import Path

import matplotlib

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Run the example, which saves its figure where it is told to."""
    matplotlib.use("Agg")
    sys.argv[1:] = [str(ROOT / "docs" / "images" / "spiral.png")]
    runpy.run_path(str(ROOT / "examples" / "plot_spiral.py"))


if __name__ == "__main__":
    main()
