"""The command line: parse, call, print."""

import sys

from hitmiss._util.errors import MissingExtraError, optional


def main() -> None:
    """Run the command ``hitmiss``."""
    try:
        optional("typer", extra="cli")
        optional("rich", extra="cli")
        from hitmiss.cli.app import app
    except MissingExtraError as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("Interrupted; nothing was kept.", file=sys.stderr)
        sys.exit(130)

    app(prog_name="hitmiss")
