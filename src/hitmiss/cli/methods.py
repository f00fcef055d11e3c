"""``hitmiss methods``: the methods and their parameters."""

import inspect
import re
from typing import Annotated

import typer

from hitmiss.cli._shared import options
from hitmiss.cli._shared.terminal import print_json, print_line, print_table

_MARKUP = re.compile(r":\w+:(?=`)|`+")


def methods(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", show_default=False)] = None,
    as_json: options.AsJson = False,
) -> None:
    """List the methods, or the parameters of one."""
    if name is None:
        _print_methods(as_json=as_json)
    else:
        _print_parameters(name, as_json=as_json)


def _print_methods(*, as_json: bool) -> None:
    """Print the name and the summary of every method."""
    from hitmiss import registry

    rows = [(method.name, method.summary) for method in registry.methods().values()]
    if as_json:
        print_json([{"name": name, "summary": summary} for name, summary in rows])
    else:
        print_table(["method", "what it is"], rows)


def _print_parameters(name: str, *, as_json: bool) -> None:
    """Print the parameters of a method, their defaults and what they mean."""
    from hitmiss import registry

    method = registry.find_method(name)
    parameters, meanings = method.parameters, _meanings(method.estimator)
    if as_json:
        facts = {"name": method.name, "summary": method.summary}
        print_json({**facts, "parameters": parameters, "meanings": meanings})
        return
    print_line(method.summary)
    rows = [(k, str(v).lower(), meanings.get(k, "")) for k, v in parameters.items()]
    print_table(["parameter", "default", "meaning"], rows)


def _meanings(estimator: type) -> dict[str, str]:
    """Description of each parameter from the class docstring, without markup."""
    doc = inspect.getdoc(estimator) or ""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w+\n-+\n|\Z)", doc, re.DOTALL | re.MULTILINE)
    entries = re.findall(
        r"^(\w[\w, ]*) : .*\n((?:[ ]+.*\n|\n)+)", f"{section[1]}\n" if section else "", re.MULTILINE
    )
    return {
        name: " ".join(_MARKUP.sub("", text).split())
        for names, text in entries
        for name in names.split(", ")
    }
