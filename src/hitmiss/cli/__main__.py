"""``python -m hitmiss.cli``."""

from hitmiss.cli import main

if __name__ == "__main__":
    main()
