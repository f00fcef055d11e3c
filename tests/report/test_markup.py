import json
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.report.markup import Markup, joined, script_json, tag

TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]))


class Reader(HTMLParser):
    """What a browser would see: the elements with their attributes, and all text."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.text = [], ""
        self.feed(html)
        self.close()

    def handle_starttag(self, name, attributes):
        self.elements.append((name, dict(attributes)))

    def handle_data(self, data):
        self.text += data


@given(TEXTS, TEXTS)
def test_texts_and_attributes_come_out_as_they_went_in(text, value):
    seen = Reader(tag("p", text, tag("b", text), title=value))
    assert seen.elements == [("p", {"title": value}), ("b", {})]
    assert seen.text == text + text


@given(TEXTS | st.lists(TEXTS) | st.dictionaries(TEXTS, TEXTS))
def test_json_in_a_script_is_whole_and_cannot_end_it(value):
    text = script_json(value)
    assert json.loads(text) == value
    assert not set(text) & set("<>&\u2028\u2029")


def test_json_in_a_script_has_no_number_that_json_has_not():
    with pytest.raises(ValueError, match="JSON"):
        script_json([float("nan")])


def test_attributes():
    assert tag("input", type="search", hidden=True, data_x=None, class_="a") == (
        '<input type="search" hidden class="a">'
    )


def test_children_may_be_lists_and_none():
    assert joined("<", ["a", None, (Markup("<b>"),)], 1) == "&lt;a<b>1"
