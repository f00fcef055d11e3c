"""The command line: parse, call, print."""

import sys

from hitmiss._errors import MissingExtraError, optional


def main() -> None:
    """Run the command ``hitmiss``."""
    try:
        optional("typer", extra="cli")
        optional("rich", extra="cli")
    except MissingExtraError as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(2)
    from hitmiss.cli.app import app

    app(prog_name="hitmiss")
