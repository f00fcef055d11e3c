"""Reports of a fit: a dictionary of results, and one HTML file made from it."""

from hitmiss.report.page import render
from hitmiss.report.saving import save
from hitmiss.report.summary import summarize

__all__ = ["render", "save", "summarize"]
