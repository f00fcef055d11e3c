"""The report as one self-contained HTML file."""

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Any

from hitmiss.report.banner import banner
from hitmiss.report.markup import Markup, joined, script_json, tag
from hitmiss.report.sections import sections
from hitmiss.report.wording import wording


def render(summary: Mapping[str, Any]) -> str:
    """The report as HTML.

    It contains style, script, figures and data. A content security policy forbids every request and
    every other script, whatever the names of features, samples or classes contain.

    Parameters
    ----------
    summary : dict
        As from `summarize`, or read back from JSON.

    Returns
    -------
    str
        To be written as UTF-8.

    Examples
    --------
    >>> from hitmiss import ReliefF, datasets
    >>> from hitmiss.report import render, summarize
    >>> X, y = datasets.make_xor(n_irrelevant=8, random_state=0, return_X_y=True)
    >>> html = render(summarize(ReliefF().fit(X, y), X, y, title="Two & more"))
    >>> "<h1>Two &amp; more</h1>" in html
    True
    """
    style, script = _asset("report.css"), Markup(_asset("report.js") + _asset("figures.js"))
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("link", rel="icon", href="data:,"),
        tag("title", summary["title"]),
        tag("style", style),
    )
    data = tag("script", Markup(script_json(summary["table"])), id="table", type="application/json")
    body = tag("body", _body(summary), data, tag("script", script))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _body(summary: Mapping[str, Any]) -> Markup:
    return joined(
        tag("a", "Skip to the table of features", href="#features", class_="skip"),
        tag(
            "header",
            tag("h1", summary["title"]),
            banner(summary.get("verdict"), wording(summary).permuted),
            _remark(summary["remark"]),
        ),
        tag("main", sections(summary)),
    )


def _remark(text: str | None) -> Markup | None:
    return None if text is None else tag("p", text, class_="remark", role="note")


def _asset(name: str) -> Markup:
    text = files("hitmiss.report").joinpath("assets", name).read_text(encoding="utf-8")
    return Markup(text)


def _policy(style: str, script: str) -> str:
    """The content security policy that admits only the style and the script of the page."""
    return (
        f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
