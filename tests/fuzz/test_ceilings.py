import sys

import pytest

from fuzz.ceilings import cells


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by /proc")
def test_a_part_of_the_grid_keeps_to_its_ceilings():
    found = list(cells(stores=["Parquet"], shapes=[(60, 8000)], ceilings=["40MB", "80MB"]))
    assert [str(cell) for cell in found if cell.exceeded] == []
    assert any(cell.refusal for cell in found)
    assert any(cell.peak for cell in found)
