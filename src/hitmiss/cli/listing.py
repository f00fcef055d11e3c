"""``hitmiss methods``: what there is, and which parameters it takes."""

from hitmiss.cli.show import print_json, print_line, print_table
from hitmiss.methods import find_method, methods


def list_methods(*, as_json: bool) -> None:
    """Print the name and the summary of every method."""
    rows = [(method.name, method.summary) for method in methods().values()]
    if as_json:
        print_json([{"name": name, "summary": summary} for name, summary in rows])
    else:
        print_table(["method", "what it is"], rows)


def show_method(name: str, *, as_json: bool) -> None:
    """Print the parameters of a method and their defaults."""
    method = find_method(name)
    parameters = method.parameters
    if as_json:
        print_json({"name": method.name, "summary": method.summary, "parameters": parameters})
        return
    print_line(method.summary)
    print_table(["parameter", "default"], [(k, str(v).lower()) for k, v in parameters.items()])
