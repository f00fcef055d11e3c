"""The command ``hitmiss``, assembled from its subcommands."""

from collections.abc import Callable
from typing import Annotated

import typer

from hitmiss._util.versions import __version__
from hitmiss.cli._shared.error_messages import CommandGroup
from hitmiss.cli.compare import compare
from hitmiss.cli.datasets import datasets
from hitmiss.cli.demo import main as demo
from hitmiss.cli.methods import methods
from hitmiss.cli.predict import predict
from hitmiss.cli.select import select
from hitmiss.cli.stability import stability

# In the order in which the help lists them.
COMMANDS: dict[str, Callable[..., None]] = {
    "select": select,
    "compare": compare,
    "stability": stability,
    "predict": predict,
    "datasets": datasets,
    "methods": methods,
    "demo": demo,
}

app = typer.Typer(
    cls=CommandGroup,
    help="Find the few features that matter among very many, by nearest hits and misses.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for _name, _command in COMMANDS.items():
    app.command(_name)(_command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hitmiss {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _hitmiss(
    ctx: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
