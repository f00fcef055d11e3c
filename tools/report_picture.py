"""docs/images/report.png: the report that the first page of the documentation makes.

Needs Chromium and playwright: `.venv/bin/python tools/report_picture.py`.
"""

import os
import re
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

DOCS = Path(__file__).parents[1] / "docs"
SIZE = {"width": 1000, "height": 1600}  # pixels: from the title to the first figures


def main() -> None:
    """Run the code of the page in an empty folder, and take a picture of its report."""
    (code,) = re.findall(r"```python\n(.*?)```", (DOCS / "index.md").read_text(), re.DOTALL)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        os.chdir(folder)
        exec(compile(code, "index.md", "exec"), {})
        found = shutil.which("chromium")
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE)
        page.goto(Path(folder, "report.html").as_uri())
        page.evaluate("document.documentElement.style.border = '2px solid #b3bac2'")
        page.screenshot(path=DOCS / "images" / "report.png")
        browser.close()


if __name__ == "__main__":
    main()
