"""Reports: a fitted selector as one dictionary, and the dictionary as one HTML file."""

from hitmiss.report.page import render
from hitmiss.report.summary import summarize

__all__ = ["render", "summarize"]
