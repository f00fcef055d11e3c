"""``python -m hitmiss``, the same as ``hitmiss``."""

from hitmiss.cli import main

if __name__ == "__main__":
    main()
