import json
import re
from base64 import b64decode
from hashlib import sha256
from html.parser import HTMLParser

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hitmiss import FisherScore
from hitmiss.report import render, summarize
from tests.report.names import EVIL

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(8, 4)), np.arange(8) % 2


class Page(HTMLParser):
    """Elements, attributes and the text of every element of a page."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.texts = [], {}
        self.feed(html)
        self.close()

    def handle_starttag(self, name, attributes):
        self.elements.append((name, dict(attributes)))

    def handle_data(self, data):
        name = self.elements[-1][0] if self.elements else ""
        self.texts.setdefault(name, []).append(data)

    def attributes(self):
        return [item for _, attributes in self.elements for item in attributes.items()]


def test_nothing_is_fetched_and_no_attribute_runs(evil_report):
    page = Page(evil_report.read_text(encoding="utf-8"))
    attributes = page.attributes()
    assert not [name for name, _ in attributes if name.startswith("on") or name == "style"]
    addresses = [v for name, v in attributes if name in ("href", "src", "action", "srcset")]
    assert all(address.startswith(("data:", "#")) for address in addresses)
    assert "@import" not in page.texts["style"][0]
    assert "url(" not in page.texts["style"][0]


def test_the_policy_admits_the_one_style_and_the_one_script(evil_report):
    page = Page(evil_report.read_text(encoding="utf-8"))
    (policy,) = (a["content"] for n, a in page.elements if a.get("http-equiv"))
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    admitted = [b64decode(digest) for digest in re.findall(r"'sha256-([^']+)'", policy)]
    texts = [page.texts["style"][0], page.texts["script"][1]]
    assert admitted == [sha256(text.encode()).digest() for text in texts]


def test_evil_names_make_no_element(evil_report):
    page = Page(evil_report.read_text(encoding="utf-8"))
    assert [name for name, _ in page.elements].count("script") == 2
    assert "img" not in [name for name, _ in page.elements]
    data = json.loads(page.texts["script"][0])
    assert sorted(data["columns"][0]["values"])[0] == min(EVIL)
    assert page.texts["title"][0] == EVIL[1]


@settings(max_examples=25)
@given(st.lists(st.text(), min_size=6, max_size=6))
def test_any_name_is_shown_as_text(names):
    labels = np.array(["class " + name for name in names[4:]], dtype=object)
    y = labels[Y] if labels[0] != labels[1] else Y
    summary = summarize(FisherScore().fit(X, y), X, y, feature_names=names[:4], title="t")
    html = render(summary)
    html.encode()
    page = Page(html)
    shown = json.loads(page.texts["script"][0])["columns"][0]["values"]
    assert sorted(shown) == sorted(summary["table"]["columns"][0]["values"])
    assert [name for name, _ in page.elements].count("script") == 2


def test_a_report_may_be_rendered_from_json():
    summary = summarize(FisherScore().fit(X, Y), X, Y, title="again")
    assert render(json.loads(json.dumps(summary))) == render(summary)


def test_25_000_features_stay_under_two_megabytes(large_report):
    assert large_report.stat().st_size < 2_000_000


def test_a_remark_stands_below_the_title():
    fitted = FisherScore(max_features=2).fit(X, Y)
    html = render(summarize(fitted, X, Y, remark="Interrupted & <kept>."))
    heading, remark = html.index("</h1>"), html.index("Interrupted &amp; &lt;kept&gt;.")
    assert heading < remark < html.index("What was asked")
    assert 'class="remark"' not in render(summarize(fitted, X, Y))


def test_of_several_methods_the_comparison_comes_first():
    rows = [
        {"method": name, "error": 0.25, "curve": {"n_features": [1, 2], "errors": [0.5, 0.25]}}
        for name in ("F-test", "fisherscore")
    ]
    fitted = FisherScore(max_features=2).fit(X, Y)
    html = render(summarize(fitted, X, Y, method="fisherscore", comparison=rows))
    places = [
        html.index(text)
        for text in (
            "samples apart, by 2 methods?",
            "<h2>Methods compared</h2>",
            "Error on samples left out",
            "The rest of this page is about fisherscore, which has the smallest error.",
            "<h2>What was found</h2>",
            "<h2>Figures</h2>",
        )
    ]
    assert places == sorted(places)
    assert html.count("Error on samples left out") == 1


def test_kuncheva_is_left_out_where_it_is_not_defined():
    fitted = FisherScore(max_features=2).fit(X, Y)
    measures = {"kuncheva": float("nan"), "jaccard": 0.5}
    assert "Kuncheva" not in render(summarize(fitted, X, Y, stability=measures))
    assert "Kuncheva" in render(summarize(fitted, X, Y, stability={"kuncheva": 0.25}))
