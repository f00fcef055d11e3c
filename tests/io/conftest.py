import pytest

from hitmiss.io import read_table


@pytest.fixture
def table_of(tmp_path):
    """The table of a text."""

    def read(text, *args, name="data.csv", **kwargs):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return read_table(path, *args, **kwargs)

    return read
