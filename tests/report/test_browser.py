"""The report in a real browser."""

import csv
import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from hitmiss import FisherScore
from hitmiss.inference import Evidence, verdict_on
from hitmiss.report import summarize
from tests.report.conftest import written
from tests.report.names import EVIL

pytestmark = pytest.mark.full  # a browser


class Visit:
    """A page that remembers what it says on its console and what it asks for."""

    def __init__(self, page, path):
        self.page, self.said, self.asked = page, [], []
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: self.asked.append(request.url))
        page.goto(path.as_uri())

    def column(self, k):
        cells = self.page.locator(f"#rows tbody td:nth-child({k})")
        return cells.all_text_contents()

    def status(self):
        return self.page.locator("#status").text_content()


@pytest.fixture
def visit(browser):
    context = browser.new_context(accept_downloads=True, viewport={"width": 1000, "height": 800})
    yield lambda path: Visit(context.new_page(), path)
    context.close()


REPORTS = ["evil_report", "numbers_report", "survival_report"]


@pytest.mark.parametrize("report", [*REPORTS, "large_report"])
def test_nothing_is_said_on_the_console_and_nothing_is_fetched(visit, report, request):
    path = request.getfixturevalue(report)
    seen = visit(path)
    seen.page.locator("#search").fill("a")
    seen.page.wait_for_timeout(100)
    assert seen.said == []
    assert [url for url in seen.asked if not url.startswith("data:")] == [path.as_uri()]


def test_evil_names_are_shown_as_text(visit, evil_report):
    seen = visit(evil_report)
    names = seen.column(2)
    assert len(names) == len(EVIL)
    long_name = next(name for name in EVIL if len(name) > 200)
    assert set(EVIL) - {long_name} <= set(names)
    assert seen.page.title() == EVIL[1]
    assert seen.page.locator("h1").text_content() == EVIL[1]
    assert seen.page.locator("img").count() == 0


def test_the_table_sorts_both_ways_and_says_so(visit, large_report):
    seen = visit(large_report)
    weight = seen.page.locator("#rows th", has_text="Weight")
    assert seen.column(1)[:3] == ["1", "2", "3"]
    weight.locator("button").click()
    assert weight.get_attribute("aria-sort") == "descending"
    weight.locator("button").click()
    assert weight.get_attribute("aria-sort") == "ascending"
    values = [float(text) for text in seen.column(3)]
    assert values == sorted(values)
    assert seen.column(1)[0] == "25,000"
    seen.page.locator("#rows th", has_text="Feature").locator("button").press("Enter")
    assert weight.get_attribute("aria-sort") == "none"
    assert seen.column(2)[:3] == [f"{j}_some_gene_at" for j in range(3)]


def test_the_table_searches_filters_and_turns_pages(visit, large_report):
    seen = visit(large_report)
    assert seen.status() == "1–25 of 25,000 features"
    seen.page.get_by_role("button", name="Next").click()
    assert seen.column(1)[0] == "26"
    assert seen.status() == "26–50 of 25,000 features"
    seen.page.get_by_label("selected only").check()
    assert seen.status() == "1–25 of 100 features"
    seen.page.get_by_label("Search").fill("7_SOME gene")
    assert "7_some_gene_at" in seen.column(2)
    seen.page.get_by_label("Search").fill("no such name")
    assert seen.status() == "0 features"
    assert seen.column(2) == []
    assert seen.page.get_by_role("button", name="Next").is_disabled()


def test_the_download_holds_the_rows_and_no_formula(visit, evil_report, tmp_path):
    seen = visit(evil_report)
    with seen.page.expect_download() as download:
        seen.page.get_by_role("button", name="Download CSV").click()
    assert download.value.suggested_filename == "features.csv"
    path = tmp_path / "features.csv"
    download.value.save_as(path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [row["Feature"] for row in rows]
    assert {"'=1+1", "'+1", "'-1", "'@SUM(A1)", "<script>alert(1)</script>", "emoji 😀"} <= set(
        names
    )
    assert not [name for name in names if name[0] in "=+-@"]
    assert [int(row["Rank"]) for row in rows] == list(range(1, len(EVIL) + 1))
    assert all(float(row["Weight"]) >= 0 for row in rows)


def test_the_download_holds_what_is_searched_for(visit, large_report, tmp_path):
    seen = visit(large_report)
    seen.page.get_by_label("Search").fill("777_")
    with seen.page.expect_download() as download:
        seen.page.get_by_role("button", name="Download CSV").click()
    text = download.value.path().read_text(encoding="utf-8-sig")
    names = [row["Feature"] for row in csv.DictReader(text.splitlines())]
    assert len(names) > 20
    assert all("777_" in name for name in names)


def test_without_a_script_the_best_features_are_there(browser, large_report):
    context = browser.new_context(java_script_enabled=False)
    seen = Visit(context.new_page(), large_report)
    assert len(seen.column(2)) == 25
    assert seen.column(2)[0] == "7_some_gene_at"
    assert not seen.page.locator("#download").is_visible()
    context.close()


@pytest.fixture(scope="session")
def verdict_report(tmp_path_factory):
    """The report of a fit where nothing is there."""
    X, y = np.random.default_rng(0).normal(size=(40, 30)), np.arange(40) % 2
    known = Evidence(30, 5, 0.1, 0.5, 0.08, 0.5, p_value=0.7, n_permutations=20)
    fitted = FisherScore(max_features=5).fit(X, y)
    return written(tmp_path_factory, summarize(fitted, X, y, verdict=verdict_on(known)))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
def test_the_verdict_is_on_the_first_screen_in_words_that_can_be_read(
    browser, verdict_report, width, scheme
):
    size = {"width": width, "height": 700}
    context = browser.new_context(color_scheme=scheme, viewport=size)
    seen = Visit(context.new_page(), verdict_report)
    box = seen.page.locator(".verdict").bounding_box()
    assert box["y"] + box["height"] < 500
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    paper, heading, text = seen.page.evaluate(
        """() => {
            const look = (name) => getComputedStyle(document.querySelector(name));
            return [look(".verdict").backgroundColor, look(".verdict h2").color,
                    look(".verdict p").color];
        }"""
    )
    for ink in (heading, text):
        assert contrast(luminance(as_hex(paper)), luminance(as_hex(ink))) >= 4.5
    context.close()


def test_where_nothing_is_there_a_click_shows_the_list(visit, verdict_report):
    seen = visit(verdict_report)
    assert not seen.page.locator(".names").is_visible()
    assert not seen.page.locator("#rows").is_visible()
    seen.page.get_by_text("Show the list anyway").click()
    assert seen.page.locator(".names li").count() == 5
    seen.page.get_by_text("Show the table of features").press("Enter")
    assert len(seen.column(2)) == 25
    assert seen.page.locator("#rows").is_visible()
    assert seen.said == []


@pytest.mark.parametrize("report", REPORTS)
def test_only_tables_scroll_sideways(visit, report, request):
    seen = visit(request.getfixturevalue(report))
    for width in (320, 375, 400, 1000, 1400):
        seen.page.set_viewport_size({"width": width, "height": 700})
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize(
    ("report", "title"),
    [
        ("numbers_report", "Selected features against y"),
        ("survival_report", "Survival by the halves of selected features"),
    ],
)
def test_texts_of_panels_stay_in_the_picture_and_off_each_other(
    visit, request, report, title, width
):
    seen = visit(request.getfixturevalue(report))
    seen.page.set_viewport_size({"width": width, "height": 700})
    picture = seen.page.get_by_role("img", name=title)
    boxes = picture.locator("text").evaluate_all(
        "all => all.map((text) => { const b = text.getBBox();"
        " return [b.x, b.y, b.x + b.width, b.y + b.height]; })"
    )
    assert len(boxes) > 6 * 5
    assert all(x0 >= 0 and x1 <= 440 for x0, _, x1, _ in boxes)
    for a, b in itertools.combinations(boxes, 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] - 3 <= b[1] or b[3] - 3 <= a[1]
        assert apart, (a, b)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_the_paper(browser, evil_report, scheme):
    context = browser.new_context(color_scheme=scheme)
    seen = Visit(context.new_page(), evil_report)
    colors = seen.page.evaluate(
        """() => {
            const style = getComputedStyle(document.documentElement);
            const names = ["--paper", "--ink", "--muted", "--accent"];
            return names.map((name) => style.getPropertyValue(name).trim());
        }"""
    )
    paper, *inks = (luminance(color) for color in colors)
    assert (paper > 0.5) == (scheme == "light")
    assert all(contrast(paper, ink) >= 4.5 for ink in inks)
    context.close()


def test_the_keyboard_reaches_the_table(visit, evil_report):
    seen = visit(evil_report)
    seen.page.keyboard.press("Tab")
    focused = seen.page.evaluate("document.activeElement.textContent")
    assert focused == "Skip to the table of features"
    seen.page.keyboard.press("Enter")
    seen.page.keyboard.press("Tab")
    assert seen.page.evaluate("document.activeElement.id") == "search"


@pytest.mark.parametrize("report", REPORTS)
def test_every_control_and_picture_has_a_name(visit, report, request):
    seen = visit(request.getfixturevalue(report))
    nameless = seen.page.evaluate(
        """() => [...document.querySelectorAll("svg[role=img]")]
            .filter((svg) => !svg.getAttribute("aria-label")).length"""
    )
    assert nameless == 0
    for role, name in (("searchbox", "Search"), ("checkbox", "selected only")):
        assert seen.page.get_by_role(role, name=name).count() == 1
    assert seen.page.get_by_role("region", name="Table of features").count() == 1
    assert seen.page.locator("h1").count() == 1


def test_print_leaves_out_the_controls(visit, evil_report):
    seen = visit(evil_report)
    seen.page.emulate_media(media="print", color_scheme="dark")
    assert not seen.page.locator("#download").is_visible()
    paper = seen.page.evaluate(
        "getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()"
    )
    assert paper == "#ffffff"


def test_a_figure_is_saved_as_svg_that_stands_alone(visit, evil_report, tmp_path):
    seen = visit(evil_report)
    seen.page.emulate_media(color_scheme="dark")
    figure = seen.page.locator("figure", has=seen.page.locator(".legend")).first
    with seen.page.expect_download() as event:
        figure.get_by_role("button", name="Save this figure as SVG").click()
    event.value.save_as(tmp_path / "figure.svg")
    assert event.value.suggested_filename.endswith(".svg")
    root = ElementTree.parse(tmp_path / "figure.svg").getroot()
    shapes = [e for e in root.iter() if e.tag.rpartition("}")[2] in ("path", "circle", "text")]
    assert all(shape.get("class") is None and shape.get("fill") for shape in shapes)
    inks = {shape.get("fill") for shape in shapes if shape.tag.endswith("text")}
    assert inks == {"rgb(27, 31, 36)"}  # as on white paper
    texts = [shape.text for shape in shapes if shape.tag.endswith("text")]
    assert set(figure.locator(".legend bdi").all_text_contents()) <= set(texts)


def test_a_figure_is_printed_alone_on_one_page(visit, evil_report):
    seen = visit(evil_report)
    seen.page.evaluate("window.print = () => {}")
    seen.page.get_by_role("button", name="Save this figure as PDF").first.click()
    assert seen.page.pdf().count(b"/Type /Page\n") == 1
    seen.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert seen.page.pdf().count(b"/Type /Page\n") > 1
    assert seen.page.locator(".sheet").count() == 0


def as_hex(color):
    """#rrggbb of rgb(r, g, b)."""
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", color)[:3])


def luminance(color):
    """Relative luminance of #rrggbb, as WCAG 2 defines it."""
    shares = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    low, high = sorted((first, second))
    return (high + 0.05) / (low + 0.05)
